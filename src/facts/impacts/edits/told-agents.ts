import { leavesPersonOut } from '../../../words/names.ts'
import { brief } from './edited-file.ts'

/** Paths of files with instructions for agents. */
const instructing =
  /(?:^|\/)(?:CLAUDE|AGENTS?|GEMINI|QWEN|CRUSH)(?:\.local)?\.md$|(?:^|\/)\.(?:cursor|clinerules|windsurf|kiro|roo)[\w./-]*|copilot-instructions\.md$|\.claude\/(?:commands|agents|skills)\/[^\n]+\.md$/

/** Matches a way past a check that a sentence names. */
const wayPast =
  /--no-verify|--dangerously|skip-permissions|(?:bypass|disabl|ignor|skip|overrid|work(?:ing)? around)\w*\s+(?:\w+\s+){0,4}[\w-]*(?:hooks?|gates?|guards?|warnings?|permissions?)/i
/** Match words that forbid what follows them (`never use --no-verify`), and what precedes them (`--no-verify is banned`). */
const forbidsNext =
  /(?:\bnever|\b(?:do|must|should|may|shall|can) ?not|n['’]t|\bunder no circumstances|\bavoid|\brefrain from|\bstop|(?<!-)\bno(?!-)|\b(?:error|mistake|violation)\W+to)\W+(?:ever\W+|even\W+|(?:have|need)\W+to\W+)?(?:--|(?:accept|tolerate|use|using|run|running|pass|passing|add|adding|commit|committing|push|pushing|bypass|skip|ignore|disable|override|call|set|include|try|attempt|suggest|work\W+around)\w*\b|git\b)/i
const forbidsLast =
  /\b(?:(?:is|are|be|gets?|as|strictly)\W+)(?:\w+\W+)?(?:forbidden|prohibited|banned|disallowed|off[ -]limits|refused|rejected|unacceptable|violation)\b|(?:\bnot|n['’]t)\W+(?:allowed|permitted|acceptable|an option|ok)\b|[:–—]\W*(?:is\W+)?(?:forbidden|prohibited|banned|disallowed|off[ -]limits)\b/i
/** Matches `instead of --no-verify` and the like: the sentence then recommends something else. */
const inPlaceOf = /\b(?:instead of|rather than)\W+(?:(?:using|passing|running)\W+)?--[\w-]+/i
/** Words by which a prohibition means the opposite, or has exceptions. */
const meansOpposite =
  /\b(?:not|never|no longer|(?<!-)no(?!-)|n['’]t)\W+(?:\w+\W+)?(?:stop|forbidden|prohibited|banned|disallowed|off[ -]limits|refused|rejected|unacceptable|error|mistake|violation)\b|\b(?:forget|hesitate|without|unless|until|except|only|instead|but|so|ask\w*|tell|mention|confirm\w*|approv\w*|then|just|if|always)\b|,\W*(?:use|pass|commit|run|push|add)\b/i
/** Matches sentences. A colon ends a sentence, unless the words behind it forbid what the sentence names. */
const sentences = /[^.;:!?\n]+(?::(?=\W{0,20}(?:forbidden|prohibited|banned|disallowed|off))[^.;:!?\n]*)*/g

/** Removes sentences that forbid a way past a check, so that they are not taken for a recommendation of it. */
const withoutProhibitions = (text: string) =>
  text.replaceAll(sentences, (sentence) => {
    const rest = sentence.replace(inPlaceOf, '')
    const forbids = forbidsNext.test(rest) || forbidsLast.test(rest) || (rest !== sentence && !wayPast.test(rest))
    return wayPast.test(sentence) && forbids && !meansOpposite.test(rest) ? '' : sentence
  })

/** True for a change of instructions after which agents act without asking the person. */
export function tellsToGoOn(path: string, removed: string, added: string): boolean {
  if (!instructing.test(path)) return false
  const [before, after] = [removed, added].map((text) => leavesPersonOut(withoutProhibitions(brief(text))))
  return after === true && before !== true
}
