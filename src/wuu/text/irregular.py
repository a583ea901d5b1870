"""The tables of the word rule: stop words, irregular English forms, short names that count in small letters.

Owns data only, all of it case-folded and without accents. Regular endings (-s, -ed, -ing) are not here, for
the Porter tokenizer of the index takes them off, but for the few that it gets wrong.
"""

_ENGLISH = """
a about above after again against ah all also am an and another any anybody anyone anything are as at
be because been before being below between both but by
can cannot cant could couldnt
did didnt do does doesnt doing don dont down during
each either else etc ever every everyone everything
few for from further
had has hasnt have havent having he hello her here hers herself hey hi him himself his how however
i if im in into is isnt it its itself ive
just
let lets like
many may maybe me might more most much must my myself
neither no nor not now
of off oh ok okay on once one only onto or other others our ours ourselves out over own
perhaps please
quite
rather really
same shall she should shouldnt since so some somebody someone something still such
than thanks that thats the their theirs them themselves then there theres these they theyre thing things
this those though through thus to too
uh um under until up upon us
very
was wasnt we well were werent what whatever when where whether which while who whom whose why will with
within without wont would wouldnt wow
yeah yes yet you your youre yours yourself yourselves
"""

# Words that mean something in English ("son", "sin", "era", "hay") are left out of this list.
_SPANISH = """
al algo algun alguna algunas algunos ante aqui asi aun aunque cada como con cual cuando de del desde donde
el ella ellas ellos en entonces entre esa esas ese eso esos esta estaba estan estar estas este esto estos
fue fueron ha hace hasta hemos la las le les lo los mas me mi mis mucho muy nada ni nos nosotros nuestra
nuestro o otra otro otros para pero por porque pues que quien se segun ser si sido siempre sobre sus
su tambien tanto te tiene todo todos tu tus un una unas uno unos usted ustedes ya yo
"""

_IRREGULAR = """
arisen:arise arose:arise ate:eat eaten:eat awoke:awake awoken:awake
beaten:beat became:become began:begin begun:begin bent:bend bitten:bite bled:bleed blew:blow blown:blow
bought:buy bred:breed broke:break broken:break brought:bring built:build burnt:burn
came:come caught:catch chose:choose chosen:choose clung:cling crept:creep
dealt:deal dove:dive drank:drink drunk:drink drawn:draw drew:draw dreamt:dream driven:drive
drove:drive dug:dig
fallen:fall fell:fall fed:feed felt:feel fled:flee flew:fly flown:fly forbade:forbid forbidden:forbid
foresaw:foresee foreseen:foresee forgave:forgive forgiven:forgive forgot:forget forgotten:forget fought:fight
found:find froze:freeze frozen:freeze
gave:give given:give goes:go gone:go went:go got:get gotten:get grew:grow grown:grow
heard:hear held:hold hid:hide hidden:hide hung:hang kept:keep knew:know known:know
laid:lay led:lead learnt:learn leapt:leap lent:lend lit:light lost:lose
made:make meant:mean met:meet misled:mislead mistook:mistake mistaken:mistake
misunderstood:misunderstand
outgrew:outgrow outgrown:outgrow overcame:overcome overheard:overhear overrode:override overridden:override
overtook:overtake overtaken:overtake overwrote:overwrite overwritten:overwrite
paid:pay proven:prove ran:run rang:ring rung:ring rebuilt:rebuild reran:rerun
rewrote:rewrite rewritten:rewrite ridden:ride rode:ride risen:rise
said:say sang:sing sung:sing sank:sink sunk:sink sat:sit saw:see seen:see sent:send shaken:shake shook:shake
shone:shine shot:shoot shown:show shrank:shrink shrunk:shrink slept:sleep slid:slide sold:sell sought:seek
spent:spend spoke:speak spoken:speak sprang:spring sprung:spring stole:steal stolen:steal stood:stand
strove:strive struck:strike stuck:stick stung:sting swam:swim swum:swim swept:sweep swore:swear sworn:swear
swung:swing
taken:take took:take taught:teach told:tell threw:throw thrown:throw thought:think tore:tear torn:tear
undergone:undergo underwent:undergo understood:understand undertaken:undertake undertook:undertake
undid:undo undone:undo upheld:uphold
wept:weep withdrawn:withdraw withdrew:withdraw withheld:withhold withstood:withstand woke:wake woken:wake
won:win wore:wear worn:wear wove:weave woven:weave written:write wrote:write

analyses:analysis appendices:appendix axes:axis children:child crises:crisis criteria:criterion
diagnoses:diagnosis feet:foot geese:goose halves:half hypotheses:hypothesis indices:index knives:knife
lice:louse loaves:loaf matrices:matrix men:man mice:mouse oxen:ox people:person phenomena:phenomenon
selves:self shelves:shelf teeth:tooth theses:thesis thieves:thief vertices:vertex wives:wife wolves:wolf
women:woman
"""

# Regular forms that the Porter rules part from their word: they stem `tried` to `tri`, but `try` to `try`.
_LOST_ON_PORTER = """
added:add adding:add erred:err erring:err freed:free
cried:cry cries:cry died:die dies:die dying:die dried:dry dries:dry dyed:dye flies:fly fried:fry fries:fry
lied:lie lies:lie lying:lie pried:pry pries:pry skies:sky spied:spy spies:spy tied:tie ties:tie tying:tie
tried:try tries:try
aliases:alias biases:bias bonuses:bonus buses:bus campuses:campus canvases:canvas gases:gas lenses:lens
quizzes:quiz statuses:status viruses:virus
mimicked:mimic mimicking:mimic panicked:panic panicking:panic
"""

# Names that are searched in small letters too. Not `go`: there the verb would drown the name.
_SHORT_NAMES = "ai ci cd db id ip js md ml os pr py qa sh ts tv ui ux vm"

STOP_WORDS = frozenset(_ENGLISH.split() + _SPANISH.split())

IRREGULAR = dict(pair.split(":") for pair in (_IRREGULAR + _LOST_ON_PORTER).split())

SHORT_NAMES = frozenset(_SHORT_NAMES.split())
