//! A question that was made of a text prefers the documents that the text names: those whose title it has the
//! words of. What a text is about and what it mentions are two things, and links lead to both.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::error::Result;
use crate::id::DocId;
use crate::index::{Analyzer, Hit, Snapshot};

/// By how much a document counts for more whose whole title the text has.
const NAMED: f32 = 1.0;

/// Raises the scores of documents whose title the text at hand has the words of, and sorts the hits anew.
pub fn favour(hits: &mut [Hit], at_hand: &BTreeSet<String>, snapshot: &Snapshot) -> Result<()> {
    let mut analyzer = snapshot.analyzer();
    let mut factors: HashMap<Arc<str>, f32> = HashMap::new();
    for hit in hits.iter_mut() {
        if !factors.contains_key(&hit.doc) {
            let record = match DocId::from_column(&hit.doc) {
                Some(doc) => snapshot.record(&doc)?,
                None => None,
            };
            let part = record.map_or(0.0, |record| part_named(&mut analyzer, &record.title, at_hand));
            factors.insert(hit.doc.clone(), 1.0 + NAMED * part * part);
        }
        hit.score *= factors.get(&hit.doc).copied().unwrap_or(1.0);
    }
    hits.sort_by(Hit::ranking);
    Ok(())
}

/// The part of a title's words that the text has.
fn part_named(analyzer: &mut Analyzer, title: &str, at_hand: &BTreeSet<String>) -> f32 {
    let (mut all, mut named) = (0.0_f32, 0.0_f32);
    analyzer.tokens(title, &mut |token| {
        all += 1.0;
        named += f32::from(u8::from(at_hand.contains(token.text)));
    });
    if all > 0.0 { named / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_named_by_its_words_in_any_form() {
        let mut analyzer = Analyzer::new("english");
        let mut at_hand = BTreeSet::new();
        let text = "how pods use persistent volumes";
        analyzer.tokens(text, &mut |token| {
            at_hand.insert(token.text.to_owned());
        });
        for (title, part) in
            [("Persistent Volume", 1.0), ("Volume snapshots", 0.5), ("Nodes", 0.0), ("", 0.0)]
        {
            assert_eq!(part_named(&mut analyzer, title, &at_hand), part, "{title}");
        }
    }
}
