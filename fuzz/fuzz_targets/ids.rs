//! Ids: parsing and printing are inverse, and every document has an id.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ra_core::id::{ChunkId, DocId, TreeName};

fuzz_target!(|data: &[u8]| {
    let text = ra_fuzz::text(data);
    if let Ok(id) = text.parse::<ChunkId>() {
        let printed = id.to_string();
        assert_eq!(printed.parse(), Ok(id.clone()), "{printed:?}");
        assert_eq!(id.doc.to_string().parse(), Ok(id.doc.clone()), "{printed:?}");
        assert_eq!(id.doc.chunk(id.slug.as_deref()), id, "{printed:?}");
    }
    if let Ok(tree) = text.parse::<TreeName>() {
        assert_eq!(tree.to_string(), text);
    }
    // A file may have any name.
    if let Some((tree, path)) = text.split_once('\n')
        && let Ok(tree) = tree.parse::<TreeName>()
        && !path.is_empty()
    {
        let doc = DocId::new(tree, path);
        let printed = doc.to_string();
        assert_eq!(printed.parse(), Ok(doc.clone()), "{printed:?}");
        assert_eq!(printed.parse(), Ok(doc.chunk(None)), "{printed:?}");
    }
});
