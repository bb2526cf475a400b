//! Checks that all instruction sets give the same bits.

use fearless_simd::{Level, Simd};

use crate::{
    kernel::{
        half::halves,
        linear::{Linear, TILE_ROWS},
        quantized_rows::GROUP_COLUMNS,
    },
    query::encode_query_with,
    section::{PassageTokens, encode_passages_with},
};

const TEXTS: [&str; 5] = [
    "",
    "x",
    "how do i roll back a deployment",
    "Überprüfung der 重启 `kubectl rollout undo deployment/nginx --to-revision=2`",
    "A controller tracks at least one Kubernetes resource type. These objects have a spec field that represents \
     the desired state. The controllers for that resource are responsible for making the current state come \
     closer to that desired state; a controller might carry the action out itself, or send messages to the API \
     server that have useful side effects.",
];

/// Lists the instruction sets of this CPU, the plainest first.
fn levels() -> Vec<Level> {
    let mut levels = vec![Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    {
        let best = Level::new();
        levels.extend(best.as_sse4_2().map(Simd::level));
        levels.extend(best.as_avx2().map(Simd::level));
        levels.extend(best.as_avx512().map(Simd::level));
    }
    levels.push(Level::new());
    levels
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn vectors_have_the_same_bits_in_every_instruction_set() {
    for text in TEXTS {
        let vectors = levels().into_iter().map(|level| {
            let query = encode_query_with(level, text);
            [
                bits(&query.section),
                bits(&query.page),
                bits(
                    encode_passages_with(level, &PassageTokens::of_section("Title", [text; 5]))
                        .as_flattened(),
                ),
            ]
        });
        let vectors: Vec<_> = vectors.collect();
        assert!(vectors.iter().all(|other| *other == vectors[0]), "{text}");
    }
}

/// Fills a slice with numbers that look random.
fn fill<T>(values: &mut [T], seed: u32, convert: impl Fn(u32) -> T) {
    let mut state = seed;
    for value in values {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *value = convert(state >> 16);
    }
}

/// Computes one output without vectors: exact sums of groups, then additions in the order of the groups.
fn plain_output(tiles: &[u8], row: usize, input: &[f32]) -> f32 {
    let largest = input.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let groups = input.len() / GROUP_COLUMNS;
    let mut sum = 0.0;
    for (group, values) in input.chunks_exact(GROUP_COLUMNS).enumerate() {
        let tile = &tiles[(row / TILE_ROWS * groups + group) * 288..][..288];
        let scale = halves::<TILE_ROWS>(&tile[256..])[row % TILE_ROWS];
        let products = values.iter().enumerate().map(|(column, x)| {
            let byte = tile[column / 2 * TILE_ROWS + row % TILE_ROWS];
            let weight = i64::from(byte >> (column % 2 * 4) & 0xf) - 8;
            weight * (x * (32_767.0 / largest)).round_ties_even() as i64
        });
        sum += products.sum::<i64>() as f32 * scale;
    }
    sum * (largest / 32_767.0)
}

#[test]
fn linear_layers_have_the_bits_of_a_plain_loop() {
    const ROWS: usize = 32;
    const COLUMNS: usize = 96;
    let mut tiles = vec![0; Linear::tile_bytes(ROWS, COLUMNS)];
    fill(&mut tiles, 7, |random| random as u8);
    for tile in tiles.chunks_exact_mut(288) {
        fill(&mut tile[256..], 9, |random| random as u8 & 0x3f);
    }
    let tiles: &'static [u8] = tiles.leak();
    for inputs in 1..=14 {
        let mut values = vec![0.0; inputs * COLUMNS];
        fill(&mut values, inputs as u32, |random| random as f32 / 1000.0 - 32.0);
        let rows = values.chunks_exact(COLUMNS);
        let expected: Vec<f32> =
            rows.flat_map(|input| (0..ROWS).map(move |row| plain_output(tiles, row, input))).collect();
        for level in levels() {
            let output = Linear::new(ROWS, COLUMNS, tiles, None).apply(level, &values);
            assert_eq!(bits(&output), bits(&expected), "{inputs} rows with {level:?}");
        }
    }
}
