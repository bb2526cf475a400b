//! Checks a file before the PDF parser reads it. The parser decodes streams in one piece, so a small file could take
//! any amount of memory; and it searches the end of a damaged stream again for each stream. Nothing here allocates more
//! than a buffer, and everything is linear in the size of the file and of its decoded streams.

use flate2::{Decompress, FlushDecompress, Status};
use hayro_syntax::object::{Name, Stream};
use memchr::memmem;

/// How large a decoded stream may be, and all of them together. Images aren't decoded.
const MAX_STREAM_BYTES: usize = 64 << 20;
const MAX_DECODED_BYTES: usize = 512 << 20;

/// One byte of deflated data can't become more bytes than this.
const MAX_DEFLATE_RATIO: usize = 1032;

/// How large a stream of the other compressions may be: their decoded size isn't measured.
const MAX_LZW_BYTES: usize = 128 << 10;
const MAX_RUN_LENGTH_BYTES: usize = 1 << 20;

/// How large the object streams of an encrypted file may be together: their decoded size can't be measured.
const MAX_ENCRYPTED_OBJECT_BYTES: usize = 512 << 10;

/// How far before its stream a dictionary begins, at most.
const MAX_DICTIONARY_BYTES: usize = 4 << 10;

/// How many bytes the parser may search for the ends of streams.
const MAX_SEARCHED_BYTES: usize = 2 << 30;

/// How many filter names may follow each other. None of them may compress what another compressed.
const COMPRESSIONS: [&[u8]; 6] = [b"FlateDecode", b"Fl", b"LZWDecode", b"LZW", b"RunLengthDecode", b"RL"];

const TOO_LARGE: &str = "its streams are too large when decompressed";
const DAMAGED: &str = "the PDF is damaged";

/// The result of the check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Checked {
    /// True if streams are encrypted: they are measured when they are read.
    pub(super) is_encrypted: bool,
}

/// Checks a file. The error is for people.
pub(super) fn check(bytes: &[u8]) -> Result<Checked, String> {
    if has_bomb(bytes) {
        return Err(TOO_LARGE.to_owned());
    }
    let is_encrypted = memmem::find(bytes, b"/Encrypt").is_some();
    let mut ends = memmem::find_iter(bytes, b"endstream").peekable();
    let (mut searched, mut decoded, mut encrypted_objects) = (0usize, 0usize, 0usize);
    for start in stream_starts(bytes) {
        while ends.next_if(|end| *end < start).is_some() {}
        let end = ends.peek().copied().unwrap_or(bytes.len());
        searched = searched.saturating_add(end - start);
        if searched > MAX_SEARCHED_BYTES {
            return Err(DAMAGED.to_owned());
        }
        let dictionary = Dictionary::before(bytes, start);
        if is_encrypted {
            encrypted_objects += if dictionary.has(b"ObjStm") { end - start } else { 0 };
        } else if !dictionary.is_image() {
            decoded = decoded.saturating_add(dictionary.check_stream(bytes, start, end)?);
        }
        if decoded > MAX_DECODED_BYTES {
            return Err(TOO_LARGE.to_owned());
        }
    }
    if encrypted_objects > MAX_ENCRYPTED_OBJECT_BYTES {
        return Err("the file is encrypted".to_owned());
    }
    Ok(Checked { is_encrypted })
}

/// Returns where the data of streams begins.
fn stream_starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    memmem::find_iter(bytes, b"stream").filter_map(move |at| {
        let is_end = bytes[..at].ends_with(b"end");
        let line_end = match bytes.get(at + 6..)? {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => return None,
        };
        (!is_end).then_some(at + 6 + line_end)
    })
}

/// The text before a stream, which is its dictionary.
struct Dictionary<'b> {
    text: &'b [u8],
    is_whole: bool,
}

impl<'b> Dictionary<'b> {
    fn before(bytes: &'b [u8], start: usize) -> Self {
        let text = &bytes[start.saturating_sub(MAX_DICTIONARY_BYTES)..start];
        match memmem::rfind(text, b"obj") {
            Some(at) => {
                let text = &text[at + 3..];
                Self { text, is_whole: text.trim_ascii_start().starts_with(b"<<") }
            }
            None => Self { text, is_whole: false },
        }
    }

    fn has(&self, word: &[u8]) -> bool {
        memmem::find(self.text, word).is_some()
    }

    /// True if the stream is an image, and can't be read as anything that the parser decodes by itself.
    fn is_image(&self) -> bool {
        self.is_whole
            && self.has(b"/Image")
            && self.has(b"/Width")
            && !self.has(b"/First")
            && !self.has(b"/Size")
            && !self.has(b"#")
    }

    /// Returns the decoded size of the stream if it is inflated.
    fn check_stream(&self, bytes: &[u8], start: usize, end: usize) -> Result<usize, String> {
        let length = end - start;
        let parameters = memmem::find(self.text, b"/DecodeParms").map(|at| &self.text[at + 12..]);
        if parameters.is_some_and(is_reference) {
            return Err(TOO_LARGE.to_owned());
        }
        if self.has(b"/LZW") && length > MAX_LZW_BYTES
            || (self.has(b"/RunLength") || self.has(b"/RL")) && length > MAX_RUN_LENGTH_BYTES
        {
            return Err(TOO_LARGE.to_owned());
        }
        // The data may contain `endstream`, so it is only measured from where it begins.
        let measured = inflated_len(&bytes[start..]);
        let is_inflated = self.has(b"/Fl") || !self.is_whole;
        // The parser goes on after an error, so a large rest could still expand.
        let rest =
            if measured.is_whole || !is_inflated { 0 } else { end.saturating_sub(start + measured.read) };
        if measured.len > MAX_STREAM_BYTES || rest.saturating_mul(MAX_DEFLATE_RATIO) > 4 * MAX_STREAM_BYTES {
            return Err(TOO_LARGE.to_owned());
        }
        Ok(measured.len)
    }
}

/// The size of a stream after decompression.
struct Measured {
    len: usize,
    /// How much data was read.
    read: usize,
    /// True if the data ended without an error.
    is_whole: bool,
}

/// Inflates data without keeping it, up to a little more than the limit.
fn inflated_len(data: &[u8]) -> Measured {
    let has_header = matches!(data, [first, second, ..]
        if first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31));
    let mut inflate = Decompress::new(has_header);
    let mut buffer = vec![0; 32 << 10];
    loop {
        let (read, len) = (inflate.total_in() as usize, inflate.total_out() as usize);
        let status = inflate.decompress(&data[read.min(data.len())..], &mut buffer, FlushDecompress::None);
        let is_stuck = inflate.total_in() as usize == read && inflate.total_out() as usize == len;
        let is_whole = match status {
            Ok(Status::StreamEnd) => true,
            Ok(_) if is_stuck => true,
            Ok(_) if len <= MAX_STREAM_BYTES => continue,
            Ok(_) => true,
            Err(_) => false,
        };
        return Measured { len: inflate.total_out() as usize, read: inflate.total_in() as usize, is_whole };
    }
}

/// True if a stream's list of filters has two compressions, or rows too long to allocate. No program writes that, but
/// bombs use it. Both must be written where they are used, not in another object.
fn has_bomb(bytes: &[u8]) -> bool {
    let mut last: Option<usize> = None;
    for at in memchr::memchr_iter(b'/', bytes) {
        let name = name_at(&bytes[at + 1..]);
        if name == b"Filter" && is_reference(&bytes[at + 7..])
            || name == b"Columns" && !is_small(&bytes[at + 8..])
        {
            return true;
        }
        if !COMPRESSIONS.contains(&name.as_slice()) {
            continue;
        }
        let between = last.filter(|last| at - last < MAX_DICTIONARY_BYTES).map(|last| &bytes[last..at]);
        if between.is_some_and(|between| !between.contains(&b']') && memmem::find(between, b">>").is_none()) {
            return true;
        }
        last = Some(at + 1);
    }
    false
}

/// Returns the name at the start, with escapes like `#46` resolved, if it may be one of those looked for.
fn name_at(bytes: &[u8]) -> Vec<u8> {
    const MAX_NAME_BYTES: usize = 48;
    if !matches!(bytes.first(), Some(b'C' | b'F' | b'L' | b'R' | b'#')) {
        return Vec::new();
    }
    let is_regular = |byte: &&u8| !byte.is_ascii_whitespace() && !b"\0()<>[]{}/%".contains(*byte);
    let raw: Vec<u8> = bytes.iter().take(MAX_NAME_BYTES).take_while(is_regular).copied().collect();
    if !raw.contains(&b'#') {
        return raw;
    }
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut name = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        match (raw[at], digit(raw.get(at + 1)), digit(raw.get(at + 2))) {
            (b'#', Some(high), Some(low)) => {
                name.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                name.push(byte);
                at += 1;
            }
        }
    }
    name
}

/// True if the value after a key is a number of at most six digits.
fn is_small(value: &[u8]) -> bool {
    let digits = value.trim_ascii_start().iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=6).contains(&digits) && !is_reference(value)
}

/// True if the value after a key is a reference to another object.
fn is_reference(value: &[u8]) -> bool {
    let value = &value[..value.len().min(40)];
    let mut words = value.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let is_number = |word: Option<&[u8]>| word.is_some_and(|word| word.iter().all(u8::is_ascii_digit));
    is_number(words.next())
        && is_number(words.next())
        && words.next().is_some_and(|word| word.starts_with(b"R"))
}

/// True if a stream can be decoded within the limits. In a file that isn't encrypted, it was measured before.
pub(super) fn is_decodable(stream: &Stream<'_>, checked: Checked) -> bool {
    // Images weren't measured, and are never read as text or fonts.
    if stream.dict().get::<Name<'_>>(b"Subtype").is_some_and(|kind| *kind == *b"Image") {
        return false;
    }
    !checked.is_encrypted || {
        let measured = inflated_len(&stream.raw_data());
        measured.len <= MAX_STREAM_BYTES
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn deflated(len: usize) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![b' '; len]).unwrap();
        encoder.finish().unwrap()
    }

    fn object(dictionary: &str, data: &[u8]) -> Vec<u8> {
        [b"1 0 obj <<", dictionary.as_bytes(), b">> stream\n", data, b"\nendstream endobj "].concat()
    }

    #[test]
    fn files_that_expand_too_much_are_refused() {
        let (small, large) = (deflated(1 << 20), deflated(MAX_STREAM_BYTES + (1 << 20)));
        let many: Vec<u8> =
            (0..20).flat_map(|_| object("/Filter /FlateDecode", &deflated(30 << 20))).collect();
        for (name, file, is_refused) in [
            ("small", object("/Filter /FlateDecode", &small), false),
            ("large", object("/Filter /FlateDecode", &large), true),
            ("large without filter", object("", &large), true),
            ("large image", object("/Subtype /Image /Width 9 /Filter /FlateDecode", &large), false),
            (
                "disguised image",
                object("/Subtype /Image /Width 9 /First 5 /N 1 /Filter /FlateDecode", &large),
                true,
            ),
            ("many", many, true),
            ("twice", object("/Filter [/FlateDecode /FlateDecode]", &small), true),
            ("twice, escaped", object("/Filter [/Fl#61teDecode null /LZW]", &small), true),
            ("elsewhere", object("/Filter 5 0 R", &small), true),
            ("long rows", object("/Filter /FlateDecode /DecodeParms <</Columns 99999999>>", &small), true),
            ("rows elsewhere", object("/Filter /FlateDecode /DecodeParms 7 0 R", &small), true),
            ("rows", object("/Filter /FlateDecode /DecodeParms <</Columns 5/Predictor 12>>", &small), false),
            ("text and flate", object("/Filter [/ASCII85Decode /FlateDecode]", &small), false),
            ("long lzw", object("/Filter /LZWDecode", &vec![1; MAX_LZW_BYTES + 1]), true),
            ("two objects", [object("/Filter /Fl", &small), object("/Filter /Fl", &small)].concat(), false),
        ] {
            assert_eq!(check(&file).is_err(), is_refused, "{name}");
        }
    }

    #[test]
    fn streams_without_an_end_are_refused_if_they_are_many() {
        let few = b"1 0 obj <<>> stream\nabc ".repeat(100);
        let many = b"1 0 obj <<>> stream\nabc ".repeat(100_000);
        assert!(check(&few).is_ok());
        assert_eq!(check(&many), Err(DAMAGED.to_owned()));
    }
}
