import type { Expected, Row } from './row.ts'

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
  {
    id: 'hook-missing',
    what: 'a hook is missing',
    cause: { kind: 'hook', command: '"$HOOKS/missing"', onFailure: 'block' },
    sees: everyWay(failed('does not exist')),
    seen: refusedAndTold,
  },
  {
    id: 'hook-missing-continue',
    what: 'a hook is missing (onFailure: continue)',
    cause: { kind: 'hook', command: '"$HOOKS/missing"', onFailure: 'continue' },
    sees: everyWay(pass('does not exist')),
    seen: passAndTold,
  },
  {
    id: 'hook-not-executable',
    what: 'a hook is not executable',
    cause: { kind: 'hook', command: '"$HOOKS/not-executable"', onFailure: 'block' },
    sees: everyWay(failed('is not executable')),
    seen: refusedAndTold,
  },
  {
    id: 'hook-not-executable-continue',
    what: 'a hook is not executable (onFailure: continue)',
    cause: { kind: 'hook', command: '"$HOOKS/not-executable"', onFailure: 'continue' },
    sees: everyWay(pass('is not executable')),
    seen: passAndTold,
  },
  {
    id: 'hook-timeout',
    what: 'a hook takes too long',
    cause: { kind: 'hook', command: 'sleep 60', timeoutS: 0.3, onFailure: 'block' },
    sees: everyWay(failed('timed out after 300 ms')),
    seen: refusedAndTold,
  },
  {
    id: 'hook-timeout-continue',
    what: 'a hook takes too long (onFailure: continue)',
    cause: { kind: 'hook', command: 'sleep 60', timeoutS: 0.3, onFailure: 'continue' },
    sees: everyWay(pass('timed out after 300 ms')),
    seen: passAndTold,
  },
  {
    id: 'hook-killed',
    what: 'a hook is killed',
    cause: { kind: 'hook', command: 'kill -9 $$', onFailure: 'block' },
    sees: everyWay(failed('killed by SIGKILL')),
    seen: refusedAndTold,
  },
  {
    id: 'hook-killed-continue',
    what: 'a hook is killed (onFailure: continue)',
    cause: { kind: 'hook', command: 'kill -9 $$', onFailure: 'continue' },
    sees: everyWay(pass('killed by SIGKILL')),
    seen: passAndTold,
  },
  {
    id: 'hook-garbage',
    what: 'a hook prints garbage',
    cause: { kind: 'hook', command: `echo '{"decision": oops}'`, onFailure: 'block' },
    sees: everyWay(failed('is not one JSON object')),
    seen: refusedAndTold,
  },
  {
    id: 'hook-garbage-continue',
    what: 'a hook prints garbage (onFailure: continue)',
    cause: { kind: 'hook', command: `echo '{"decision": oops}'`, onFailure: 'continue' },
    sees: everyWay(pass('is not one JSON object')),
    seen: passAndTold,
  },
  {
    id: 'server-away',
    what: 'a decision point is away',
    cause: { kind: 'server', url: nobody, onFailure: 'block' },
    sees: everyWay(failed(nobody)),
    seen: refusedAndTold,
  },
  {
    id: 'server-away-continue',
    what: 'a decision point is away (onFailure: continue)',
    cause: { kind: 'server', url: nobody, onFailure: 'continue' },
    sees: everyWay(pass(nobody)),
    seen: passAndTold,
  },
  {
    id: 'policy-throws',
    what: 'a policy throws',
    cause: { kind: 'policy', decide: "throw new Error('no such luck')", onFailure: 'block' },
    sees: everyWay(failed('no such luck')),
    seen: refusedAndTold,
  },
  {
    id: 'policy-throws-continue',
    what: 'a policy throws (onFailure: continue)',
    cause: { kind: 'policy', decide: "throw new Error('no such luck')", onFailure: 'continue' },
    sees: everyWay(pass('no such luck')),
    seen: passAndTold,
  },
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
