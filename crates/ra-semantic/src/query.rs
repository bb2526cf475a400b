//! Encodes queries and pages with a transformer of six layers.

use fearless_simd::Level;

use crate::{
    kernel::{
        activation::gelu_all,
        attention::{AttentionInput, MAX_POSITIONS, attend},
        linear::Linear,
        norm::{add_and_normalize, set_length},
        quantized_rows::QuantizedRows,
    },
    model::{Hidden, Layer, LayerNorm, PAGE_DIMENSIONS, SECTION_DIMENSIONS, query_model, word_embedding},
    section::SectionVector,
    tokenizer::{CLASSIFICATION_ID, SEPARATOR_ID, token_ids},
};

/// A unit vector for a page, comparable with [`QueryVectors::page`].
pub type PageVector = [f32; PAGE_DIMENSIONS];

/// Both vectors of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryVectors {
    /// A unit vector, comparable with those of sections.
    pub section: SectionVector,
    /// A unit vector, comparable with those of pages.
    pub page: PageVector,
}

/// Encodes a query, of which the first 126 tokens count.
pub fn encode_query(text: &str) -> QueryVectors {
    encode_query_with(Level::new(), text)
}

/// Encodes the text of a page, of which the first 126 tokens count.
pub fn encode_page(text: &str) -> PageVector {
    encode_page_with(Level::new(), text)
}

pub(crate) fn encode_query_with(level: Level, text: &str) -> QueryVectors {
    let mut page = mean_hidden_state(level, &query_ids(text));
    let mut section = [0.0; SECTION_DIMENSIONS];
    section.copy_from_slice(&query_model().projection.apply(level, &page));
    set_length(&mut section, 1.0);
    set_length(&mut page, 1.0);
    QueryVectors { section, page }
}

fn encode_page_with(level: Level, text: &str) -> PageVector {
    let mut page = mean_hidden_state(level, &query_ids(text));
    set_length(&mut page, 1.0);
    page
}

/// Returns the input of the transformer for a text.
fn query_ids(text: &str) -> Vec<u16> {
    let mut ids = vec![CLASSIFICATION_ID];
    ids.extend(token_ids(text, MAX_POSITIONS - 2));
    ids.push(SEPARATOR_ID);
    ids
}

/// Runs the transformer and returns the mean over all positions.
fn mean_hidden_state(level: Level, ids: &[u16]) -> Hidden {
    let mut states = embeddings(level, ids);
    for layer in &query_model().layers {
        layer.apply(level, &mut states);
    }
    mean(&states)
}

fn embeddings(level: Level, ids: &[u16]) -> Vec<f32> {
    let model = query_model();
    let mut states: Vec<f32> = ids.iter().flat_map(|&id| word_embedding(id)).collect();
    let positions: Vec<f32> = (0..ids.len()).flat_map(|position| model.position(position)).collect();
    model.embedding_norm.apply(level, &mut states, &positions);
    states
}

fn mean(states: &[f32]) -> Hidden {
    let (rows, _) = states.as_chunks::<PAGE_DIMENSIONS>();
    let mut mean = [0.0; PAGE_DIMENSIONS];
    for row in rows {
        for (mean, &value) in mean.iter_mut().zip(row) {
            *mean += value;
        }
    }
    mean.map(|sum| sum / rows.len() as f32)
}

impl Layer {
    fn apply(&self, level: Level, states: &mut [f32]) {
        let attended = self.attention_output.apply(level, &self.attend(level, states));
        self.attention_norm.apply(level, states, &attended);
        let mut intermediate = self.intermediate.apply(level, states);
        gelu_all(level, &mut intermediate);
        let output = self.output.apply(level, &intermediate);
        self.output_norm.apply(level, states, &output);
    }

    fn attend(&self, level: Level, states: &[f32]) -> Vec<f32> {
        let states = QuantizedRows::new(level, states, PAGE_DIMENSIONS);
        let [queries, keys, values] =
            Linear::apply_all([&self.query, &self.key, &self.value], level, &states);
        let input =
            AttentionInput { width: PAGE_DIMENSIONS, queries: &queries, keys: &keys, values: &values };
        attend(level, input)
    }
}

impl LayerNorm {
    fn apply(&self, level: Level, states: &mut [f32], added: &[f32]) {
        let (weight, bias) = self.parameters();
        add_and_normalize(level, states, added, &weight, &bias);
    }
}
