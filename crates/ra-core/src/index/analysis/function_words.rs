//! Words that say nothing about the topic of a text, by language. They are dropped from questions, and they tell the
//! languages of one script apart.

// The lists include the fragments of contractions split at the apostrophe (`don't`, `l'index`).

pub(super) const ARABIC: &str = "
    في من على إلى عن مع هذا هذه ذلك تلك التي الذي هو هي هم أنا نحن أنت ما ماذا متى أين كيف لماذا هل أو و ثم أن إن لا لم
    لن قد كان كانت يكون كل بين عند";

pub(super) const DANISH: &str = "
    af alle at da de den der deres det dette du eller en er et for fra ham han har hun hvad hvem hvilken hvis hvor hvordan
    hvorfor hvornår i ikke jeg kan man med men mig min mit og om os på sin skal som til ud var vi vil ville være";

pub(super) const DUTCH: &str = "
    aan als bij dan dat de deze die dit door een en er haar hebben heeft het hij hoe hun ik in is je kan kunnen maar me met
    mijn moet na naar niet of om ons onze ook op te tot u uit van voor waar waarom wanneer waren was wat we welke wie wij
    wordt worden zijn zij zou zullen";

pub(super) const ENGLISH: &str = "
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

pub(super) const FINNISH: &str = "
    ei että ja jos joka jotka kanssa kuin kuinka kun me minä minun mikä mitä miten miksi milloin missä mihin mutta myös ne ole
    olen oli olla on ovat se sen siitä sinä sitä tai tämä tämän voi voiko voin vai";

pub(super) const FRENCH: &str = "
    à au aux avec c ce ces cette comment d dans de des du elle en est et être il ils j je l la le les leur lui ma mais me mes
    mon n ne nous on ou où par pas pour pourquoi puis qu quand que quel quelle quels quelles qui quoi s sa se ses si son
    sont sur t ta te tu un une vos votre vous y";

pub(super) const GERMAN: &str = "
    als am an auf aus bei bin bis da das dass dem den der des die dies diese dieser dieses du durch ein eine einem einen einer
    eines er es für haben hat ich ihr im in ist kann können man mein mich mir mit muss nach nicht oder sein sich sie
    sind soll über um und uns unter vom von vor wann war warum was welche welcher welches wenn wer werden wie wieso wir
    wird wo wohin zu zum zur";

pub(super) const GREEK: &str = "
    ο η το οι τα του της των τον την τους τις ένας μια μία ένα και ή αν ότι που πού πως πώς πότε γιατί τι ποιος ποια ποιο με σε
    από για στο στη στην στον στα προς να θα δεν μην είναι ήταν έχω έχει μου σου μας σας εγώ αυτό αυτή αυτός";

pub(super) const HUNGARIAN: &str = "
    a az egy és vagy de ha hogy hogyan ki mi mit mikor hol hova miért melyik milyen nem is van vannak volt lesz ez ezt azt
    ezek azok én te ő mi ti ők meg el kell lehet be ki csak mint";

pub(super) const ITALIAN: &str = "
    a ad al alla alle ai agli c che chi ci come con cosa d da dal dalla dei del della delle di dove e è ed era gli ha ho i il
    in io l la le lo loro ma mi mio nei nel nella non o per perché più quale quali quando quello questa questo se si
    sono su sua sul sulla suo tra un una uno";

pub(super) const NORWEGIAN: &str = "
    alle at av da de dem den denne der det dette du eller en er et for fra ha han har hun hva hvem hvilken hvilke hvis hvor
    hvordan hvorfor i ikke jeg kan man med meg men min mitt når og om oss på seg skal som til ut var vi vil være";

pub(super) const PORTUGUESE: &str = "
    a à ao aos as com como da das de do dos e é ela ele eles em entre era essa esse esta este eu foi há isso já lhe mais mas me
    meu minha na nas não no nos nós o onde os ou para pela pelo por porque qual quais quando que quem se sem ser seu sua
    são também tem um uma você";

pub(super) const ROMANIAN: &str = "
    a acest această al ale am ar are as au ca că câte când care ce cea cel cine cu cum da dacă de din după ea ei el este eu
    fi fost în îmi la le lui mai mea meu ne noi nu o pe pentru poate pot prin sau se si și sunt să un unde una unei unui
    voi vreau";

pub(super) const RUSSIAN: &str = "
    а без бы был была были быть в вам вас во вот все вы где для до его ее если есть же за и из или им их к как какая какие
    какой ко когда кто куда ли мне можно мой моя мы на надо не нет ни но о об он она они от по почему при с со так там то
    ты у чем что чтобы эта эти это этот я";

pub(super) const SPANISH: &str = "
    a al como cómo con cual cuál cuales cuáles cuando cuándo de del desde donde dónde e el él ella en entre era es esa ese eso
    esta está este esto fue ha hay la las le lo los me mi mis más muy ni no nos o para pero por porque puedo qué que quién
    quien se sea ser si sin sobre son su sus también te tu un una unas uno unos y ya yo";

pub(super) const SWEDISH: &str = "
    alla att av de dem den denna det detta dig din du där efter ej eller en er ett för från ha han har hon hur i inte jag kan
    man med men mig min mitt mot ni när och om oss på sig ska som till under upp ut vad var varför vart vem vi vid vilka
    vilken vilket är";

pub(super) const TAMIL: &str = "
    ஒரு என்று மற்றும் இந்த இது அது அந்த என்ன எப்படி எங்கே எப்போது ஏன் யார் எது எந்த நான் நாம் நீ நீங்கள் அவர் அவன் அவள் என் உன்
    ஆனால் அல்லது இல்லை உள்ள உள்ளது வேண்டும் முடியும் மேலும் போது";

pub(super) const TURKISH: &str = "
    acaba ama ben beni benim bir biz bu bunu çok da daha de değil diye en gibi hangi hem her için ile ise kadar ki kim mı mi mu
    mü nasıl ne neden nerede nereye niçin o olan olarak onlar onu sen şu var ve veya ya yok";

// The languages below have no stemmer.

pub(super) const BULGARIAN: &str = "
    а ако без беше в във да до за защо и или из как какво като когато кой които която който на не него но от още по при с
    са се си след със съм също така те това той трябва тя че ще";

pub(super) const CATALAN: &str = "
    a al als amb aquest aquesta com d de del dels des doncs el els en és hi i l la les més ni no o on per perquè però pot
    quan què s sense ser si són també un una va";

pub(super) const CZECH: &str = "
    a aby ale ani až bez být by co či do i jak jako je jeho jen jsou již k kde kdy když který která které ke mezi mít může na
    nebo není o od po pod pokud pro proč při s se si tak také tato tento to u v ve však z za že";

pub(super) const INDONESIAN: &str = "
    ada adalah agar akan anda apa atau bagaimana bahwa banyak bisa dalam dan dapat dari dengan di harus hanya ini itu jika
    juga kami karena ke ketika kita lebih mengapa oleh pada saat saya sebagai sebuah sebelum secara setelah setiap sudah
    telah tersebut tidak untuk yang";

pub(super) const PERSIAN: &str = "
    آن از اگر است این با باید بر برای به تا در را شما شود چرا چه چگونه چون خود که کند می نیز هر هم ها های و یا یک";

pub(super) const POLISH: &str = "
    a aby ale albo bez być co czy dla do gdy gdzie i ich jak jako jest jeśli kiedy które który która lub ma mają może można
    na nie o od oraz po pod poprzez przed przez przy są się tak także tego tej ten to tym tylko u w we z za ze że";

pub(super) const UKRAINIAN: &str = "
    а або але без був бути в ви від він вона вони все де для до є з за зі і із й його коли який яка яке які як її ми може на
    не ні по при про та так також це цей ця що щоб у чи чому";

pub(super) const VIETNAMESE: &str = "
    bạn bằng bởi các cách cho có của cũng đã để đến được đó hoặc hơn không khi là làm lại một mỗi này những như nếu nhưng ở
    phải ra rằng sao sẽ sử tại thể theo thì trên trong từ và vào về với";
