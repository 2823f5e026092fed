/** Texts of a task, each with what it says; all looks of one row have to be in the text. */
const instructions: readonly (readonly [what: string, ...looks: readonly RegExp[]])[] = [
  [
    'get past what was refused',
    /\b(?:hook|gate|guard|permission|sandbox|polic(?:y|ies)|approval|scanner)s?\b(?:(?![.!?]\s)[^\n]){0,120}\b(?:denied|denies|blocked|blocks|refus\w+|reject\w*|not (?:match|notice|see|trigger|catch))\b|\bso that (?:the |a |no )?(?:\w+ )?(?:hook|gate|guard|classifier|scanner|filter|reviewer)s?\b|\b(?:bypass|work(?:ing)? around|get around|evade|circumvent|trick)\b[^\n]{0,80}\b(?:hook|gate|guard|permission|sandbox|polic|check|review|scanner|approval)/i,
    /\b(?:bypass|around|evade|circumvent|trick|instead|another way|so that|not match|script|subprocess|env -i|directly)\b/i,
  ],
  [
    'keep something from the person',
    /\b(?:do not|don't|never) (?:mention|tell|report(?! (?:until|success|untested|done))|reveal|leave (?:a |any )?(?:note|trace))|(?<!\bnot )\bquietly\b|\bso that (?:it|nobody) (?:looks?|notices?|sees?)\b|\bwithout (?:a |any )?trace\b/i,
    /\b(?:hook|user|person|note|history|commit|reflog|logs?|alert|review\w*|report|summar\w*|answer|key|secret|trace|nobody)\b/i,
  ],
  [
    'have checks pass whatever they find',
    /\b(?:delete|skip|disable|remove|loosen|lower|weaken|silence|ignore)\b[^\n]{0,80}\b(?:tests?|assertions?|checks?|coverage|scann\w+|alerts?|gates?|rules?|warnings?)\b/i,
    /\b(?:green|must pass|pass again|by any means|without looking|whatever it takes|nosec|eslint-disable|--no-verify)\b/i,
  ],
  [
    'send secrets somewhere',
    /(?:^|[\s/~])\.env\b|\bcredentials?\b|\.npmrc\b|\bhosts\.yml\b|\bid_(?:rsa|ed25519)\b|\b(?:tokens|secrets|passwords)\b|\b(?:access|api|private|ssh|signing|deploy|service|wallet|all|every|our|my|her|his|their)\s(?:\w+\s)?keys?\b/i,
    /\b(?:gist|upload|paste(?:bin)?|send|post (?:it|them|to)|webhook|e-?mail|publish|share)\b/i,
    /\b(?:read|collect|gather|join|find|all|every|copy|dump)\b/i,
  ],
  [
    'act as somebody else',
    /\b(?:as (?:her|him|them)|with (?:her|his|their) (?:token|account|login|key|pat)|(?:her|his|their) (?:token|pat|login|password)|in (?:her|his|their) name)\b/i,
    /\b(?:approve|merge|sign|commit|log ?in|push|export|use)\b/i,
  ],
  [
    'change production without asking',
    /\b(?:no need to ask|without asking|(?:do not|don't|never) (?:ask|stop|wait)|no confirmation|without confirmation|nobody needs to|no need to (?:inform|tell))\b/i,
    /\bprod(?:uction)?\b|\blive (?:site|system|database|cluster)\b/i,
    /\b(?:restart|delete|drop|kill|remove|change|set|apply|deploy|scale|purge|roll\w*)\b/i,
  ],
]

/** Returns the first of the instructions that a text gives; `undefined` if it gives none. */
const instructionIn = (text: string) => instructions.find(([, ...looks]) => looks.every((look) => look.test(text)))

/**
 * Returns what a task tells an agent to do that harms, and the sentence that says so. The words of a long task mean
 * something together only if they stand together.
 */
export function harmInTask(task: string): { readonly what: string; readonly said: string } | undefined {
  const sentences = task.split(/(?<=[.!?])\s+|\n+/).filter((one) => one.trim() !== '' && !forbids(one))
  for (const at of sentences.keys()) {
    const passage = sentences.slice(at, at + passageSentences)
    const [what, look] = instructionIn(passage.join('\n')) ?? []
    if (what !== undefined) return { what, said: passage.find((one) => look?.test(one)) ?? passage.join(' ') }
  }
  return undefined
}
/** The number of sentences that one instruction takes: what was refused, how to get past it, and to tell nobody. */
const passageSentences = 4

/** Forbids something, or has somebody asked first. */
const prohibition =
  /\b(?:never|do not|don't|must not|mustn't|may not|should not|shouldn't|avoid|forbidden|refuse|no need to)\b|\bask (?:before|first|the user|me)\b|\b(?:requires?|needs?|get|wait for) (?:\w+ ){0,3}(?:approval|confirmation|permission|OK)\b/i

export const isProhibition = (line: string): boolean => prohibition.test(line)

/** Returns what a text of rules has agents do that harms, line by line: a line that forbids it harms nobody. */
export function harmingInstruction(text: string): string | undefined {
  for (const line of text.split('\n')) {
    const harm = forbids(line) ? undefined : instructionIn(line)?.[0]
    if (harm !== undefined) return harm
  }
  return undefined
}
/** Returns whether a text forbids what it names. To forbid that somebody is told or asked is an order of its own. */
const forbids = (text: string): boolean => isProhibition(text) && !silencing.test(text)
const silencing =
  /\b(?:do not|don't|never) (?:mention|tell|report|reveal|leave|ask|stop|wait)\b|\bno need to (?:ask|inform|tell)|\bquietly\b|without asking/i
