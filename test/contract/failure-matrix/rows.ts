import type { OnFailure } from '../../../src/model/effect.ts'
import type { Cause, Expected, Row } from './row.ts'

const refusal = (...because: readonly string[]): Expected => ({ kind: 'refusal', because })
/** A refusal by a rule that failed under `onFailure: block`. */
const failed = (because: string) => refusal(because, 'counts as deny because its onFailure is `block`')
const pass = (notice?: string): Expected => ({ kind: 'pass', notice })
const noAnswer: Expected = { kind: 'noAnswer' }
const everyWay = (expected: Expected): Row['sees'] => ({ client: expected, http: expected, run: expected })

/** The reason of the rule in place of the user's own. */
export const guardSays = "the doctor's rule refuses this"
const guarded = refusal(guardSays)
const noRules = refusal('this folder has no rules')

/** An address at which nothing listens. */
const nobody = 'http://127.0.0.1:1'

const refusedAndTold = 'a refusal that says so'
const passAndTold = 'no objection, and a notice that says so'
const decides = 'the rules’ answer, as usual'

/** What can fail under either `onFailure`. */
type RuleCause<C extends Cause = Cause> = C extends { readonly onFailure: OnFailure } ? Omit<C, 'onFailure'> : never

/** A rule that fails, under `block` and under `continue`. */
const eitherWay = (id: string, what: string, cause: RuleCause, because: string): readonly Row[] => [
  {
    id,
    what,
    cause: { ...cause, onFailure: 'block' },
    sees: everyWay(failed(because)),
    seen: refusedAndTold,
  },
  {
    id: `${id}-continue`,
    what: `${what} (onFailure: continue)`,
    cause: { ...cause, onFailure: 'continue' },
    sees: everyWay(pass(because)),
    seen: passAndTold,
  },
]

/** The failure matrix: what each agent must see when something fails. */
export const rows: readonly Row[] = [
  {
    id: 'nothing',
    what: 'nothing fails, and no rule objects',
    cause: { kind: 'none', guarded: false },
    sees: everyWay(pass()),
    seen: 'no objection',
  },
  {
    id: 'guarded',
    what: 'nothing fails, and a rule objects',
    cause: { kind: 'none', guarded: true },
    sees: everyWay(guarded),
    seen: 'its refusal',
  },
  {
    id: 'gate-absent',
    what: 'the gate is not running',
    cause: { kind: 'gate', gate: 'absent' },
    sees: { client: guarded, http: noAnswer, run: guarded },
    seen: 'the rules’ answer, by a separate process',
    otherwise: { http: 'no answer, which stops it' },
  },
  {
    id: 'gate-stopped',
    what: 'the gate is running but does not respond',
    cause: { kind: 'gate', gate: 'stopped' },
    sees: { client: guarded, http: noAnswer, run: guarded },
    seen: 'the rules’ answer, by a separate process',
    otherwise: { http: 'no answer, which stops it' },
  },
  {
    id: 'gate-busy',
    what: 'the gate is at full capacity',
    cause: { kind: 'gate', gate: 'busy' },
    sees: { client: refusal('it is busy with'), http: refusal('it is busy with'), run: guarded },
    seen: refusedAndTold,
    otherwise: { run: 'the rules’ answer' },
  },
  {
    id: 'event-malformed',
    what: 'the event is malformed',
    cause: { kind: 'event', event: 'malformed' },
    sees: everyWay(refusal('the event is not JSON')),
    seen: refusedAndTold,
  },
  {
    id: 'event-too-large',
    what: 'the event is too large',
    cause: { kind: 'event', event: 'tooLarge' },
    sees: everyWay(refusal('the event is over')),
    seen: refusedAndTold,
  },
  {
    id: 'rules-malformed',
    what: 'the rules file is malformed',
    cause: { kind: 'rules', rules: 'malformed' },
    sees: everyWay(refusal('hooks.json')),
    seen: refusedAndTold,
  },
  {
    id: 'rules-broken-later',
    what: 'the rules file breaks while the gate is running',
    cause: { kind: 'rules', rules: 'brokenLater' },
    sees: { client: guarded, http: guarded, run: refusal('hooks.json') },
    seen: 'the answer of the previous rules',
    otherwise: { run: 'a refusal that says so' },
  },
  {
    id: 'rules-missing',
    what: 'the named rules file is missing',
    cause: { kind: 'rules', rules: 'missing' },
    sees: { client: noRules, http: noRules, run: refusal('the rules file does not exist') },
    seen: refusedAndTold,
  },
  {
    id: 'rules-none',
    what: 'there are no rules yet',
    cause: { kind: 'rules', rules: 'none' },
    sees: everyWay(pass()),
    seen: 'no objection',
  },
  ...eitherWay('hook-missing', 'a hook is missing', { kind: 'hook', command: '"$HOOKS/missing"' }, 'does not exist'),
  ...eitherWay(
    'hook-not-executable',
    'a hook is not executable',
    { kind: 'hook', command: '"$HOOKS/not-executable"' },
    'is not executable',
  ),
  ...eitherWay(
    'hook-timeout',
    'a hook takes too long',
    { kind: 'hook', command: 'sleep 60', timeoutS: 0.3 },
    'timed out after 300 ms',
  ),
  ...eitherWay('hook-killed', 'a hook is killed', { kind: 'hook', command: 'kill -9 $$' }, 'killed by SIGKILL'),
  ...eitherWay(
    'hook-garbage',
    'a hook prints garbage',
    { kind: 'hook', command: `echo '{"decision": oops}'` },
    'is not one JSON object',
  ),
  ...eitherWay('server-away', 'a decision point is away', { kind: 'server', url: nobody }, nobody),
  ...eitherWay(
    'policy-throws',
    'a policy throws',
    { kind: 'policy', decide: "throw new Error('no such luck')" },
    'no such luck',
  ),
  {
    id: 'policy-loops',
    what: 'a policy loops',
    cause: { kind: 'policy', decide: 'for (;;) {}', onFailure: 'block' },
    sees: everyWay(failed('ms of CPU time')),
    seen: refusedAndTold,
  },
  {
    id: 'policy-memory',
    what: 'a policy runs out of memory',
    cause: {
      kind: 'policy',
      // A large event extends its time limit, so that it runs out of memory first. Grok sends its input twice.
      paddingCharacters: 8_000_000,
      decide: 'for (const kept = []; ; ) kept.push(1n << 16_000_000n)',
      onFailure: 'block',
    },
    sees: everyWay(failed('MB of memory')),
    seen: refusedAndTold,
  },
  {
    id: 'worker-dies',
    what: 'the process that evaluates policies dies',
    cause: { kind: 'gate', gate: 'sandboxKilled' },
    sees: everyWay(guarded),
    seen: decides,
  },
  {
    id: 'disk-full',
    what: 'the disk is full',
    cause: { kind: 'gate', gate: 'diskFull' },
    sees: everyWay(guarded),
    seen: decides,
  },
]
