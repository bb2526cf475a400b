//! The elements that the converter knows.

/// Declares [`Tag`] and the names of its elements.
macro_rules! tags {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// The type of a node: text or an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Tag {
            /// Text with entities.
            Text,
            /// Text as is, such as a CDATA section.
            RawText,
            /// An element that isn't listed here.
            Other,
            $($variant),*
        }

        impl Tag {
            /// The number of types.
            pub(super) const COUNT: usize = [Tag::Text, Tag::RawText, Tag::Other $(, Tag::$variant)*].len();

            fn of_lower_case(name: &[u8]) -> Self {
                const NAMES: &[(&str, Tag)] = &[$(($name, Tag::$variant)),*];
                let at = NAMES.binary_search_by(|(known, _)| known.as_bytes().cmp(name));
                at.map_or(Tag::Other, |at| NAMES[at].1)
            }
        }
    };
}

// In order of the names, for the binary search.
tags! {
    A "a", Address "address", Annotation "annotation", Area "area", Article "article", Aside "aside",
    Audio "audio", B "b", Base "base", Blockquote "blockquote", Body "body", Br "br", Button "button",
    Canvas "canvas", Caption "caption", Center "center", Cite "cite", Code "code", Col "col",
    Colgroup "colgroup", Datalist "datalist", Dd "dd", Del "del", Details "details", Dfn "dfn",
    Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed", Fieldset "fieldset",
    Figcaption "figcaption", Figure "figure", Footer "footer", Form "form", Frame "frame",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header", Hgroup "hgroup",
    Hr "hr", Html "html", I "i", Iframe "iframe", Img "img", Input "input", Kbd "kbd", Legend "legend",
    Li "li", Link "link", Main "main", Math "math", Menu "menu", Meta "meta", Meter "meter", Nav "nav",
    Noembed "noembed", Noframes "noframes", Noscript "noscript", Object "object", Ol "ol",
    Optgroup "optgroup", Option "option", P "p", Param "param", Plaintext "plaintext", Pre "pre",
    Progress "progress", Q "q", Rp "rp", S "s", Samp "samp", Script "script", Search "search",
    Section "section", Select "select", Source "source", Strike "strike", Strong "strong", Style "style",
    Summary "summary", Sup "sup", Svg "svg", Table "table", Tbody "tbody", Td "td", Template "template",
    Textarea "textarea", Tfoot "tfoot", Th "th", Thead "thead", Title "title", Tr "tr", Track "track",
    Tt "tt", Ul "ul", Var "var", Video "video", Wbr "wbr", Xmp "xmp",
}

/// The longest name in the table.
const MAX_NAME_BYTES: usize = 10;

impl Tag {
    /// Returns the element with this name, ignoring case.
    pub(super) fn of(name: &[u8]) -> Self {
        let mut lower = [0; MAX_NAME_BYTES];
        let Some(lower) = lower.get_mut(..name.len()) else { return Tag::Other };
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        Self::of_lower_case(lower)
    }

    /// True for text of any type.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Tag::Text | Tag::RawText)
    }

    /// True for an element that never has content.
    pub(super) fn is_void(self) -> bool {
        use Tag::*;
        matches!(
            self,
            Area | Base
                | Br
                | Col
                | Embed
                | Frame
                | Hr
                | Img
                | Input
                | Link
                | Meta
                | Param
                | Source
                | Track
                | Wbr
        )
    }

    /// True for an element that may be in `<head>`.
    pub(super) fn is_head_content(self) -> bool {
        use Tag::*;
        matches!(self, Base | Link | Meta | Noscript | Script | Style | Template | Title)
    }

    /// True for an element that begins and ends a paragraph.
    pub(super) fn is_block(self) -> bool {
        use Tag::*;
        self.heading_level().is_some()
            || self.is_table_part()
            || matches!(
                self,
                Address
                    | Article
                    | Aside
                    | Blockquote
                    | Body
                    | Center
                    | Dd
                    | Details
                    | Dialog
                    | Dir
                    | Div
                    | Dl
                    | Dt
                    | Fieldset
                    | Figcaption
                    | Figure
                    | Footer
                    | Form
                    | Header
                    | Hgroup
                    | Hr
                    | Html
                    | Legend
                    | Li
                    | Main
                    | Menu
                    | Nav
                    | Ol
                    | P
                    | Pre
                    | Search
                    | Section
                    | Summary
                    | Ul
                    | Xmp
            )
    }

    /// True for a table and the elements that are only found in one.
    pub(super) fn is_table_part(self) -> bool {
        use Tag::*;
        matches!(self, Table | Caption | Tbody | Thead | Tfoot | Tr | Td | Th)
    }

    /// Returns the level of a heading.
    pub(super) fn heading_level(self) -> Option<usize> {
        use Tag::*;
        [H1, H2, H3, H4, H5, H6].iter().position(|heading| *heading == self).map(|at| at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_name_in_any_case() {
        for (name, tag) in [
            ("a", Tag::A),
            ("XMP", Tag::Xmp),
            ("BlockQuote", Tag::Blockquote),
            ("figcaption", Tag::Figcaption),
            ("wbr", Tag::Wbr),
            ("h6", Tag::H6),
            ("annotation", Tag::Annotation),
            ("", Tag::Other),
            ("x-tabs", Tag::Other),
            ("a-name-longer-than-any", Tag::Other),
        ] {
            assert_eq!(Tag::of(name.as_bytes()), tag, "{name}");
        }
    }
}
