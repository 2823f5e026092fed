import { isOneOf, type LooseLine } from '../../../words/loose-line.ts'

/** Verbs that take something away, in the programs of clouds. */
const destroyingVerbs =
  'delete destroy remove rm del purge terminate drop wipe nuke revoke deregister unregister uninstall prune reset truncate ' +
  'unset clear flush erase undeploy deprovision decommission delete-all'

/** Verbs that decide what a command is about without taking anything away: what follows them are names. */
export const otherVerbs =
  'list ls get show describe view info inspect diff plan validate help version whoami create add set update edit new init ' +
  'start open import export download upload pull push copy cp read retrieve write use select switch connect attach apply enable ' +
  'restart resume rename tag wait watch tail query invoke call test check lint build generate publish submit approve ' +
  'comment clone fork sync rerun trigger print explain ps up exec ssh scp cancel suspend pause resize ' +
  'scale promote rollback deploy undelete recover lock unlock upgrade migrate verify simulate restore put head stat cat search status log logs login logout'

export interface VerbRules {
  /** Verbs besides `destroyingVerbs` that take something away here. */
  readonly verbs?: string
  /** Words that are things here and no verbs. */
  readonly nouns?: string
  /** The first word is never a verb, as in `gcloud deploy releases delete`. */
  readonly groupFirst?: boolean
}

/**
 * How many words in front of the verb name what it is about, in the longest commands that clouds have
 * (`az network application-gateway waf-policy managed-rule exclusion rule-set remove`).
 */
const nounsMax = 8

/** Returns the verbs that a word may contain: `domains:remove` ends with one, `delete-queue` begins with one. */
function verbsIn(word: string): readonly string[] {
  const whole = word.toLowerCase()
  const hyphen = /^(?:delete|remove|purge|revoke|unset|terminate|add|create|get|list|set|update|describe)(?=-)/.exec(
    whole,
  )
  return hyphen === null ? whole.split(':') : [hyphen[0]]
}

/** The first verb of a command line, if it takes something away: the words up to it. */
export function destroyingWords(line: LooseLine, rules: VerbRules): string | undefined {
  const destroying = `${destroyingVerbs} ${rules.verbs ?? ''}`
  const find = (withValues: boolean): { words: string | undefined } | undefined => {
    const words = line.words.filter((word) => withValues || !word.maybeValue)
    for (const [at, word] of words.slice(0, nounsMax).entries()) {
      if (at === 0 && rules.groupFirst === true) continue
      for (const verb of verbsIn(word.text)) {
        if (isOneOf(verb, rules.nouns ?? '')) continue
        if (isOneOf(verb, destroying)) {
          const upTo = words.slice(0, at + 1).map((one) => one.text)
          return { words: upTo.join(' ') }
        }
        if (isOneOf(verb, otherVerbs)) return { words: undefined }
      }
    }
    return undefined
  }
  return (find(false) ?? find(true))?.words
}
