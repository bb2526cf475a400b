//! Charts as SVG with plain attributes: the policy of the pages allows no inline style.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::frame::number;

/// Returns values as horizontal bars, the largest first, with the rest of many as one.
pub(super) fn bars(values: &[(String, usize)], most: usize) -> Markup {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let rest: usize = sorted.iter().skip(most).map(|(_, value)| value).sum();
    let others = sorted.len().saturating_sub(most);
    sorted.truncate(most);
    if others > 0 {
        sorted.push((format!("{others} others"), rest));
    }
    let largest = sorted.iter().map(|(_, value)| *value).max().unwrap_or(1).max(1);
    html! {
        table .bars {
            @for (name, value) in &sorted {
                tr {
                    th scope="row" { (name) }
                    td .bar aria-hidden="true" {
                        svg viewBox="0 0 100 8" preserveAspectRatio="none" {
                            rect width=(format!("{:.2}", 100.0 * *value as f64 / largest as f64)) height="8" {}
                        }
                    }
                    td .num { (number(*value)) }
                }
            }
        }
    }
}

/// A rectangle of a treemap.
#[derive(Clone, Debug, PartialEq)]
struct Tile {
    name: String,
    value: usize,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// The size of a treemap.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;

/// How many tiles a treemap has.
const MAX_TILES: usize = 60;

/// Returns directories and their tokens as a treemap. `url` makes the address of a directory.
pub(super) fn treemap(values: &BTreeMap<String, usize>, url: Option<&dyn Fn(&str) -> String>) -> Markup {
    let total: usize = values.values().sum();
    let tiles = squarified(values);
    let tile = |tile: &Tile| {
        let share = 100.0 * tile.value as f64 / total.max(1) as f64;
        let letters = (tile.width / 7.4) as usize;
        // If the whole name doesn't fit, its end says more than its beginning.
        let name = match tile.name.chars().count() > letters {
            true => tile.name.rsplit('/').next().unwrap_or(&tile.name),
            false => &tile.name,
        };
        let label: String = match name.chars().count() > letters {
            true => name.chars().take(letters.saturating_sub(1)).chain(['…']).collect(),
            false => name.to_owned(),
        };
        html! {
            rect class={ "tile t" (color(&tile.name)) } x=(px(tile.x)) y=(px(tile.y)) width=(px(tile.width)) height=(px(tile.height)) rx="3" {}
            title { (tile.name) ": " (number(tile.value)) " tokens, " (format!("{share:.1}")) " %" }
            @if tile.width > 44.0 && tile.height > 20.0 {
                text x=(px(tile.x + 6.0)) y=(px(tile.y + 15.0)) { (label) }
                @if tile.height > 38.0 && tile.width > 60.0 {
                    text .small x=(px(tile.x + 6.0)) y=(px(tile.y + 31.0)) { (format!("{share:.1}")) " %" }
                }
            }
        }
    };
    html! {
        svg .treemap viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role=(if url.is_some() { "group" } else { "img" }) aria-label="Tokens by directory, as areas; the table below has the numbers" {
            @for each in &tiles {
                @match url {
                    Some(url) if !each.name.starts_with('…') => a href=(url(&each.name)) { (tile(each)) },
                    _ => g { (tile(each)) },
                }
            }
        }
        details {
            summary { "As a table" }
            (bars(&values.iter().map(|(name, value)| (name.clone(), *value)).collect::<Vec<_>>(), 40))
        }
    }
}

/// How many colors the style sheet has for tiles.
const TILE_COLORS: usize = 6;

/// Returns the number of a color, which is the same for everything in one directory.
fn color(name: &str) -> usize {
    let top = name.split('/').next().unwrap_or(name);
    top.bytes().fold(7usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) % TILE_COLORS
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}

/// Lays out rectangles whose areas are proportional to the values and whose sides are of similar length: values fill a
/// row along the shorter side of the free space as long as that makes the rectangles of the row more square.
fn squarified(values: &BTreeMap<String, usize>) -> Vec<Tile> {
    let mut sorted: Vec<(String, usize)> =
        values.iter().filter(|(_, value)| **value > 0).map(|(name, value)| (name.clone(), *value)).collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    if sorted.len() > MAX_TILES {
        let rest: usize = sorted.drain(MAX_TILES - 1..).map(|(_, value)| value).sum();
        sorted.push(("… others".to_owned(), rest));
    }
    let total: usize = sorted.iter().map(|(_, value)| value).sum();
    let scale = WIDTH * HEIGHT / total.max(1) as f64;
    let areas: Vec<f64> = sorted.iter().map(|(_, value)| *value as f64 * scale).collect();
    let (mut x, mut y, mut width, mut height) = (0.0, 0.0, WIDTH, HEIGHT);
    let mut tiles = Vec::new();
    let mut from = 0;
    while from < areas.len() {
        let side = f64::min(width, height).max(0.001);
        let mut to = from + 1;
        while to < areas.len() && worst(&areas[from..=to], side) <= worst(&areas[from..to], side) {
            to += 1;
        }
        let depth = areas[from..to].iter().sum::<f64>() / side;
        let mut along = 0.0;
        for nr in from..to {
            let length = areas[nr] / depth;
            let (name, value) = sorted[nr].clone();
            let tile = match width >= height {
                true => Tile { name, value, x, y: y + along, width: depth, height: length },
                false => Tile { name, value, x: x + along, y, width: length, height: depth },
            };
            along += length;
            tiles.push(tile);
        }
        if width >= height {
            (x, width) = (x + depth, width - depth);
        } else {
            (y, height) = (y + depth, height - depth);
        }
        from = to;
    }
    tiles
}

/// Returns the largest ratio of the sides of the rectangles in a row.
fn worst(areas: &[f64], side: f64) -> f64 {
    let depth = areas.iter().sum::<f64>() / side;
    areas.iter().map(|area| (area / depth / depth).max(depth * depth / area)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_fill_the_map_in_proportion() {
        let values: BTreeMap<String, usize> = (1..100).map(|nr| (format!("d{nr}"), nr * nr)).collect();
        let tiles = squarified(&values);
        let total: usize = values.values().sum();
        assert_eq!(tiles.len(), MAX_TILES);
        let area: f64 = tiles.iter().map(|tile| tile.width * tile.height).sum();
        assert!((area - WIDTH * HEIGHT).abs() < 1.0, "{area}");
        for tile in &tiles {
            let share = tile.width * tile.height / (WIDTH * HEIGHT);
            assert!((share - tile.value as f64 / total as f64).abs() < 1e-6, "{tile:?}");
            assert!(tile.x + tile.width <= WIDTH + 0.1 && tile.y + tile.height <= HEIGHT + 0.1, "{tile:?}");
        }
        assert!(squarified(&BTreeMap::new()).is_empty());
    }
}
