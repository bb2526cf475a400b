//! Rearranges `query.bin` into the layouts of `ra-model-query-words` and `ra-model-query-layers`.
//!
//! `cargo run --example pack_model -- <directory with config.json and query.bin> <crates directory>`

use std::{error::Error, fs, path::Path};

use serde_json::Value;

const TILE_ROWS: usize = 16;
const GROUP_COLUMNS: usize = 32;
const WORD_EMBEDDINGS: &str = "embeddings.word_embeddings.weight";

/// A matrix of `query.bin`: nibbles for all rows, then `f16` scales for all rows.
struct Matrix<'a> {
    columns: usize,
    nibbles: &'a [u8],
    scales: &'a [u8],
}

impl<'a> Matrix<'a> {
    fn new(rows: usize, columns: usize, bytes: &'a [u8]) -> Self {
        let (nibbles, scales) = bytes.split_at(rows * columns / 2);
        Self { columns, nibbles, scales }
    }

    fn row(&self, row: usize) -> &'a [u8] {
        &self.nibbles[row * self.columns / 2..][..self.columns / 2]
    }

    fn row_scales(&self, row: usize) -> &'a [u8] {
        let bytes = self.columns / GROUP_COLUMNS * 2;
        &self.scales[row * bytes..][..bytes]
    }

    fn rows(&self) -> usize {
        self.nibbles.len() / (self.columns / 2)
    }
}

/// Places the scales of each row after its nibbles, so a lookup touches one place.
fn pack_rows(matrix: &Matrix<'_>) -> Vec<u8> {
    (0..matrix.rows()).flat_map(|row| [matrix.row(row), matrix.row_scales(row)].concat()).collect()
}

/// Cuts a matrix into tiles: for each pair of columns the bytes of 16 rows, then the 16 scales.
fn pack_tiles(matrix: &Matrix<'_>) -> Vec<u8> {
    let mut packed = Vec::new();
    for first in (0..matrix.rows()).step_by(TILE_ROWS) {
        for group in 0..matrix.columns / GROUP_COLUMNS {
            for pair in 0..GROUP_COLUMNS / 2 {
                let byte = group * GROUP_COLUMNS / 2 + pair;
                packed.extend((first..first + TILE_ROWS).map(|row| matrix.row(row)[byte]));
            }
            packed
                .extend((first..first + TILE_ROWS).flat_map(|row| &matrix.row_scales(row)[2 * group..][..2]));
        }
    }
    packed
}

fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).expect("config.json has a number here")
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, crates] = arguments.as_slice() else { return Err("pack_model <model> <crates>".into()) };
    let config: Value = serde_json::from_slice(&fs::read(Path::new(model).join("config.json"))?)?;
    let weights = fs::read(Path::new(model).join("query.bin"))?;
    let mut layers = Vec::new();
    for tensor in config["query_tensors"].as_array().ok_or("no query_tensors")? {
        let bytes = &weights[number(&tensor["offset"])..][..number(&tensor["bytes"])];
        let matrix = || Matrix::new(number(&tensor["shape"][0]), number(&tensor["shape"][1]), bytes);
        match (tensor["name"].as_str(), tensor["dtype"].as_str()) {
            (Some(WORD_EMBEDDINGS), _) => {
                let path = Path::new(crates).join("ra-model-query-words/data/word_embeddings.q4");
                fs::write(path, pack_rows(&matrix()))?;
            }
            (_, Some("q4_32")) => layers.extend(pack_tiles(&matrix())),
            _ => layers.extend_from_slice(bytes),
        }
    }
    fs::write(Path::new(crates).join("ra-model-query-layers/data/layers.bin"), layers)?;
    Ok(())
}
