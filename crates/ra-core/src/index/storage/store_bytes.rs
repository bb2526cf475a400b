//! Checks tantivy's document store. tantivy's reader trusts lengths before it sees the bytes, and a flipped
//! bit can make it allocate more memory than there is, which aborts the process.

use std::io;
use std::path::PathBuf;

use tantivy::directory::{Directory, FileSlice};
use tantivy::error::DataCorruption;
use tantivy::index::{SegmentComponent, SegmentId};
use tantivy::{HasLen, TantivyError};

/// The last bytes of a store: the version, the offset of the block index, and fields that aren't needed here.
const FOOTER_BYTES: usize = 28;
const VERSION_BYTES: usize = 4;
/// The maximum size of an encoded length.
const MAX_VINT_BYTES: usize = 10;

/// Rejects the store of a segment if its block index claims more layers than it has bytes.
pub(crate) fn check_store(index: &tantivy::Index, segment: SegmentId) -> io::Result<()> {
    let path = PathBuf::from(format!("{}.store", segment.uuid_string()));
    let file = index.directory().open_read(&path).map_err(|error| io::Error::other(error.to_string()))?;
    check_block_index(&file)
}

/// Rejects an index whose columns aren't as they were written. tantivy trusts the lengths in them, too, and an answer
/// with a wrong number in it would look right. They are small, so their checksums are computed at every opening.
pub(crate) fn check_columns(index: &tantivy::Index) -> tantivy::Result<()> {
    for segment in index.searchable_segment_metas()? {
        let path = segment.relative_path(SegmentComponent::FastFields);
        if !index.directory().validate_checksum(&path)? {
            return Err(TantivyError::DataCorruption(DataCorruption::new(
                path,
                "its checksum is wrong".to_owned(),
            )));
        }
    }
    Ok(())
}

fn check_block_index(file: &FileSlice) -> io::Result<()> {
    let damaged =
        || io::Error::new(io::ErrorKind::InvalidData, "the store of a segment is not what was written");
    let body = file.len().checked_sub(FOOTER_BYTES).ok_or_else(damaged)?;
    let footer = file.read_bytes_slice(body..file.len())?;
    let offset = footer[VERSION_BYTES..].first_chunk().copied().map(u64::from_le_bytes);
    let start = offset.and_then(|offset| usize::try_from(offset).ok()).ok_or_else(damaged)?;
    let room = body.checked_sub(start).ok_or_else(damaged)?;
    let head = file.read_bytes_slice(start..start + room.min(MAX_VINT_BYTES))?;
    match read_vint(&head) {
        Some((layers, _)) if layers <= room as u64 => Ok(()),
        _ => Err(damaged()),
    }
}

/// Returns the only stored value of an entry in tantivy's format: the number of values, the field, the type,
/// the length and the bytes.
pub(crate) fn only_value(entry: &[u8]) -> Option<&[u8]> {
    const ONE_VALUE: u8 = 0x81;
    const BYTES: u8 = 4;
    let (&[ONE_VALUE, _, _, _, _, BYTES], rest) = entry.split_first_chunk()? else { return None };
    let (length, value) = read_vint(rest)?;
    (length == value.len() as u64).then_some(value)
}

/// Decodes a variable-length integer, and returns it with the bytes after it. Each byte has seven bits, the
/// lowest first. The high bit marks the last byte.
fn read_vint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    const LAST_DIGIT: u8 = 0x80;
    let digits = bytes.iter().position(|byte| byte & LAST_DIGIT != 0)? + 1;
    let (digits, rest) = bytes.split_at_checked(digits)?;
    let shifted = |sum: u64, byte: &u8| sum.checked_mul(128)?.checked_add(u64::from(byte & !LAST_DIGIT));
    Some((digits.iter().rev().try_fold(0, shifted)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_blocks_counts_no_more_layers_than_it_has_bytes() {
        let store = |blocks: &[u8], index: &[u8], offset: u64| {
            let footer = [&1u32.to_le_bytes()[..], &offset.to_le_bytes(), &[0; 16]].concat();
            FileSlice::from([blocks, index, &footer].concat())
        };
        let text = b"a text without any high bit";
        assert!(check_block_index(&store(text, &[0x81, 0x82, 7, 7], 27)).is_ok());
        for damaged in [
            // The text is decoded as a number whose last digit is in the index.
            store(text, &[0x81, 0x82, 7, 7], 19),
            store(text, &[0x81, 0x82, 7, 7], 0),
            store(text, &[0x85, 0x82, 7, 7], 27),
            store(text, &[0x81, 0x82, 7, 7], 27 + (1 << 40)),
            store(text, &[0x81, 0x82, 7, 7], u64::MAX),
            FileSlice::from(vec![0; 27]),
        ] {
            assert!(check_block_index(&damaged).is_err(), "{damaged:?}");
        }
    }

    #[test]
    fn a_value_is_as_long_as_it_says() {
        let entry = |length: &[u8], value: &[u8]| [&[0x81, 7, 0, 0, 0, 4], length, value].concat();
        assert_eq!(only_value(&entry(&[0x83], b"abc")), Some(&b"abc"[..]));
        assert_eq!(only_value(&entry(&[0x02, 0x81], &[9; 130])), Some(&[9; 130][..]));
        assert_eq!(only_value(&entry(&[0x80], b"")), Some(&b""[..]));
        for damaged in [
            entry(&[0x84], b"abc"),
            entry(&[0x82], b"abc"),
            entry(&[0x7f; 9], &[0xff]),
            entry(&[0x7f; 30], b""),
            [&[0x82], &entry(&[0x83], b"abc")[1..]].concat(),
            vec![0x81, 7, 0],
            Vec::new(),
        ] {
            assert_eq!(only_value(&damaged), None, "{damaged:?}");
        }
    }
}
