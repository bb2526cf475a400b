//! The languages that can be stemmed, with their scripts and function words.

use frostem::{Algorithm, Stemmer};

use super::fold::Casing;

/// A language with a stemmer.
#[derive(Debug)]
pub(super) struct Language {
    /// The name in lower case.
    pub(super) name: &'static str,
    algorithm: Algorithm,
    script: Script,
    pub(super) casing: Casing,
    /// Words that say nothing about the topic of a text, separated by white space.
    pub(super) function_words: &'static str,
    /// Other words that only phrase a question.
    pub(super) asking: &'static [Asking],
}

/// Words that say nothing about the topic of a question if they follow certain others.
#[derive(Debug)]
pub(super) struct Asking {
    pub(super) words: &'static str,
    /// For each of these lists, one of its words must come earlier.
    pub(super) after: &'static [&'static str],
    pub(super) place: WordPosition,
}

/// The required position of a word in its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordPosition {
    Anywhere,
    /// Only function words follow.
    End,
    /// This word follows.
    Before(&'static str),
}

impl Language {
    pub(super) fn named(name: &str) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.name == name)
    }

    /// True if every term starts with the first two ASCII letters of its word, and a term of more than three
    /// letters with the first three. The exceptions are a `y` that became an `i` or vice versa, and
    /// single-letter terms.
    pub(super) fn keeps_initials(&self) -> bool {
        self.script == Script::Ascii
    }

    /// Returns the stem of a word, given in lower case and also folded, or `None` if the word isn't in the
    /// script of the language. The caller must fold the stem.
    pub(super) fn stem(&self, lowered: &str, folded: &str) -> Option<String> {
        // Only English folds first: its accents are optional, and `résumés` must match `resumes`.
        let word = if self.script == Script::Ascii { folded } else { lowered };
        // The Greek stemmer panics on words made of this and one of seven endings, none of which exists.
        if !self.script.has(word) || (self.script == Script::Greek && folded.starts_with("ισαισ")) {
            return None;
        }
        let stem = Stemmer::new(self.algorithm).stem(word).into_owned();
        // A word that the stemmer takes for a suffix must not vanish.
        (!stem.is_empty()).then_some(stem)
    }
}

/// The letters that a stemmer knows. A word with any other character isn't stemmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    /// Latin without accents, which are folded before stemming.
    Ascii,
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Tamil,
}

impl Script {
    /// True if every character of a lower-case word is a letter, or a mark, of the script.
    fn has(self, word: &str) -> bool {
        word.chars().all(|c| match self {
            Script::Ascii => c.is_ascii_lowercase(),
            Script::Latin => matches!(c, 'a'..='z' | 'ß'..='ɏ' | '\u{1E00}'..='\u{1EFF}'),
            Script::Greek => matches!(c, '\u{0370}'..='\u{03FF}' | '\u{1F00}'..='\u{1FFF}'),
            Script::Cyrillic => matches!(c, 'а'..='ԯ'),
            Script::Arabic => {
                matches!(c, '\u{0620}'..='\u{0669}' | '\u{066E}'..='\u{06FF}') && !c.is_numeric()
            }
            Script::Tamil => matches!(c, '\u{0B80}'..='\u{0BFF}') && !c.is_numeric(),
        })
    }
}

const fn latin(name: &'static str, algorithm: Algorithm, function_words: &'static str) -> Language {
    Language { name, algorithm, script: Script::Latin, casing: Casing::Common, function_words, asking: &[] }
}

/// All languages, in alphabetical order.
pub(super) static LANGUAGES: [Language; 18] = [
    Language { script: Script::Arabic, ..latin("arabic", Algorithm::Arabic, ARABIC) },
    latin("danish", Algorithm::Danish, DANISH),
    latin("dutch", Algorithm::Dutch, DUTCH),
    Language {
        script: Script::Ascii,
        asking: ENGLISH_ASKING,
        ..latin("english", Algorithm::English, ENGLISH)
    },
    latin("finnish", Algorithm::Finnish, FINNISH),
    latin("french", Algorithm::French, FRENCH),
    latin("german", Algorithm::German, GERMAN),
    Language { script: Script::Greek, ..latin("greek", Algorithm::Greek, GREEK) },
    latin("hungarian", Algorithm::Hungarian, HUNGARIAN),
    latin("italian", Algorithm::Italian, ITALIAN),
    latin("norwegian", Algorithm::Norwegian, NORWEGIAN),
    latin("portuguese", Algorithm::Portuguese, PORTUGUESE),
    latin("romanian", Algorithm::Romanian, ROMANIAN),
    Language { script: Script::Cyrillic, ..latin("russian", Algorithm::Russian, RUSSIAN) },
    latin("spanish", Algorithm::Spanish, SPANISH),
    latin("swedish", Algorithm::Swedish, SWEDISH),
    Language { script: Script::Tamil, ..latin("tamil", Algorithm::Tamil, TAMIL) },
    Language { casing: Casing::Turkish, ..latin("turkish", Algorithm::Turkish, TURKISH) },
];

// The lists include the fragments of contractions split at the apostrophe (`don't`, `l'index`).

const ARABIC: &str = "
    في من على إلى عن مع هذا هذه ذلك تلك التي الذي هو هي هم أنا نحن أنت ما ماذا متى أين كيف لماذا هل أو و ثم أن إن لا لم
    لن قد كان كانت يكون كل بين عند";

const DANISH: &str = "
    af alle at da de den der deres det dette du eller en er et for fra ham han har hun hvad hvem hvilken hvis hvor hvordan
    hvorfor hvornår i ikke jeg kan man med men mig min mit og om os på sin skal som til ud var vi vil ville være";

const DUTCH: &str = "
    aan als bij dan dat de deze die dit door een en er haar hebben heeft het hij hoe hun ik in is je kan kunnen maar me met
    mijn moet na naar niet of om ons onze ook op te tot u uit van voor waar waarom wanneer waren was wat we welke wie wij
    wordt worden zijn zij zou zullen";

const ENGLISH: &str = "
    a an the
    and or but nor if then than so as because while whether though although unless until since
    about above across after against along among around at before behind below beneath beside between by during for from
    in inside into of off on onto out over per through to toward towards under up upon via with within without
    i me my mine myself you your yours yourself he him his she her hers it its itself we us our ours they them their theirs
    this that these those there here some any vs versus
    am is are was were be been being do does did doing done has have had having
    can could may might must shall should will would cannot
    how what when where which who whom whose why
    not no yes please also just very too
    s t m re ve ll don doesn didn isn aren wasn weren hasn haven couldn shouldn wouldn";

const ENGLISH_ASKING: &[Asking] = &[
    Asking { words: "difference differences", after: &[], place: WordPosition::Before("between") },
    Asking { words: "mean means", after: &["what", "do does did"], place: WordPosition::Anywhere },
    Asking {
        words: "work works working",
        after: &["how why not doesn't don't didn't isn't aren't"],
        place: WordPosition::End,
    },
];

const FINNISH: &str = "
    ei että ja jos joka jotka kanssa kuin kuinka kun me minä minun mikä mitä miten miksi milloin missä mihin mutta myös ne ole
    olen oli olla on ovat se sen siitä sinä sitä tai tämä tämän voi voiko voin vai";

const FRENCH: &str = "
    à au aux avec c ce ces cette comment d dans de des du elle en est et être il ils j je l la le les leur lui ma mais me mes
    mon n ne nous on ou où par pas pour pourquoi puis qu quand que quel quelle quels quelles qui quoi s sa se ses si son
    sont sur t ta te tu un une vos votre vous y";

const GERMAN: &str = "
    als am an auf aus bei bin bis da das dass dem den der des die dies diese dieser dieses du durch ein eine einem einen einer
    eines er es für haben hat ich ihr im in ist kann können man mein mich mir mit muss nach nicht oder sein sich sie
    sind soll über um und uns unter vom von vor wann war warum was welche welcher welches wenn wer werden wie wieso wir
    wird wo wohin zu zum zur";

const GREEK: &str = "
    ο η το οι τα του της των τον την τους τις ένας μια μία ένα και ή αν ότι που πού πως πώς πότε γιατί τι ποιος ποια ποιο με σε
    από για στο στη στην στον στα προς να θα δεν μην είναι ήταν έχω έχει μου σου μας σας εγώ αυτό αυτή αυτός";

const HUNGARIAN: &str = "
    a az egy és vagy de ha hogy hogyan ki mi mit mikor hol hova miért melyik milyen nem is van vannak volt lesz ez ezt azt
    ezek azok én te ő mi ti ők meg el kell lehet be ki csak mint";

const ITALIAN: &str = "
    a ad al alla alle ai agli c che chi ci come con cosa d da dal dalla dei del della delle di dove e è ed era gli ha ho i il
    in io l la le lo loro ma mi mio nei nel nella non o per perché più quale quali quando quello questa questo se si
    sono su sua sul sulla suo tra un una uno";

const NORWEGIAN: &str = "
    alle at av da de dem den denne der det dette du eller en er et for fra ha han har hun hva hvem hvilken hvilke hvis hvor
    hvordan hvorfor i ikke jeg kan man med meg men min mitt når og om oss på seg skal som til ut var vi vil være";

const PORTUGUESE: &str = "
    a à ao aos as com como da das de do dos e é ela ele eles em entre era essa esse esta este eu foi há isso já lhe mais mas me
    meu minha na nas não no nos nós o onde os ou para pela pelo por porque qual quais quando que quem se sem ser seu sua
    são também tem um uma você";

const ROMANIAN: &str = "
    a acest această al ale am ar are as au ca că câte când care ce cea cel cine cu cum da dacă de din după ea ei el este eu
    fi fost în îmi la le lui mai mea meu ne noi nu o pe pentru poate pot prin sau se si și sunt să un unde una unei unui
    voi vreau";

const RUSSIAN: &str = "
    а без бы был была были быть в вам вас во вот все вы где для до его ее если есть же за и из или им их к как какая какие
    какой ко когда кто куда ли мне можно мой моя мы на надо не нет ни но о об он она они от по почему при с со так там то
    ты у чем что чтобы эта эти это этот я";

const SPANISH: &str = "
    a al como cómo con cual cuál cuales cuáles cuando cuándo de del desde donde dónde e el él ella en entre era es esa ese eso
    esta está este esto fue ha hay la las le lo los me mi mis más muy ni no nos o para pero por porque puedo qué que quién
    quien se sea ser si sin sobre son su sus también te tu un una unas uno unos y ya yo";

const SWEDISH: &str = "
    alla att av de dem den denna det detta dig din du där efter ej eller en er ett för från ha han har hon hur i inte jag kan
    man med men mig min mitt mot ni när och om oss på sig ska som till under upp ut vad var varför vart vem vi vid vilka
    vilken vilket är";

const TAMIL: &str = "
    ஒரு என்று மற்றும் இந்த இது அது அந்த என்ன எப்படி எங்கே எப்போது ஏன் யார் எது எந்த நான் நாம் நீ நீங்கள் அவர் அவன் அவள் என் உன்
    ஆனால் அல்லது இல்லை உள்ள உள்ளது வேண்டும் முடியும் மேலும் போது";

const TURKISH: &str = "
    acaba ama ben beni benim bir biz bu bunu çok da daha de değil diye en gibi hangi hem her için ile ise kadar ki kim mı mi mu
    mü nasıl ne neden nerede nereye niçin o olan olarak onlar onu sen şu var ve veya ya yok";
