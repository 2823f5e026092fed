import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialect as cline } from '../../../src/agents/cline/wire.ts'
import { Outcome } from '../../../src/model/evaluation.ts'
import type { HookEvent } from '../../../src/model/event.ts'
import type { HookExit } from '../../../src/model/rule.ts'
import { clineHook, exited, surroundings, wires } from '../../support/cline-events.ts'

/** `expect.stringContaining` with a type other than `any`. */
const containing = (text: string): unknown => expect.stringContaining(text)

const event = cline.decodeEvent(wires.classic[0] ?? {}, surroundings)
const answerOf = (exit: HookExit, about: HookEvent = event) => {
  const outcome = cline.decodeAnswer(about, cline.encodeEvent(about)[0] ?? {}, exit, clineHook)
  return Outcome.parse(outcome)
}
const decoded = (stdout: string) => answerOf(exited(stdout))
const sdkEvent = cline.decodeEvent(wires.sdk[0] ?? {}, surroundings)
const decodedForSdk = (stdout: string) => answerOf(exited(stdout), sdkEvent)

const nothing = { kind: 'notApplicable' }
const cancelled = (reason = 'cancelled without a reason') => ({
  kind: 'applicable',
  effect: 'deny',
  reason,
  obligations: [],
  advice: [],
})
const withContext = (text: string) => ({
  kind: 'applicable',
  obligations: [],
  advice: [{ kind: 'addContext', text }],
})
const badOutput = (message: string) => ({
  kind: 'indeterminate',
  failure: { code: 'badOutput', message: containing(message) },
})
const exitFailure = { code: 'nonzeroExit', message: 'exited with code 1' } as const

const override = (input: unknown) => exited(JSON.stringify({ overrideInput: input }))
const claude = (name: string, fields: Partial<NonNullable<HookEvent['tool']>>): HookEvent => ({
  name: 'PreToolUse',
  agent: 'claude-code',
  session: { id: 's', cwd: '/home/ada/shop/sub' },
  workspaceRoots: ['/home/ada/shop'],
  atMs: 1,
  tool: { kind: 'shell', name, input: {}, ...fields },
  raw: {},
})
const replaced = (input: unknown) => ({
  kind: 'applicable',
  obligations: [{ kind: 'replaceInput', input }],
  advice: [],
})

describe('a hook’s stdout', () => {
  it.each([
    ['nothing', ''],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['a number', '42'],
    ['a text', '"str"'],
    ['true', 'true'],
    ['an empty array', '[]'],
    ['an array', '[{"cancel":false},5]'],
    ['a text', JSON.stringify('{"cancel":false}')],
    ['plain text', 'all is well\n'],
    ['an object with no field of an answer', '{"level":"info","cancelled":true}'],
    ['an answer without effect', '{"cancel":false}'],
    ['an answer whose texts are blank', '{"cancel":false,"contextModification":" \\n","errorMessage":""}'],
  ])('abstains: %s', (_, stdout) => {
    expect(decoded(stdout)).toEqual(nothing)
  })

  it('is the only stream that is read: stderr is ignored', () => {
    expect(answerOf(exited('', { stderr: '{"cancel":true}' }))).toEqual(nothing)
  })

  const whole = JSON.stringify({ cancel: true, errorMessage: 'no' })
  const pretty = JSON.stringify({ cancel: true, errorMessage: 'no' }, null, 2)
  it.each([
    ['alone', whole],
    ['with a line break', `${whole}\n`],
    ['after lines of noise', `checking\nstill checking\n${whole}\n`],
    ['before lines of noise', `${whole}\nchecked\n`],
    ['between lines of noise', `checking\n${whole}\nchecked\n`],
    ['after noise on the same line', `log: ${whole}`],
    ['pretty-printed', pretty],
    ['pretty-printed after noise', `checking\n${pretty}`],
    ['pretty-printed between noise', `checking\n${pretty}\nchecked`],
    ['after a byte order mark', `\ufeff${whole}`],
    ['with carriage returns', `checking\r\n${pretty.replaceAll('\n', '\r\n')}\r\nchecked\r\n`],
    ['before a line with an unclosed brace', `${whole}\nlog {`],
    ['on the line of HOOK_CONTROL', `checking\nHOOK_CONTROL\t${whole}\n`],
    // Cline misses these; a JSON scanner finds the last complete object instead.
    ['before noise on the same line', `${whole} done`],
    ['after balanced braces on the same line', `obj {x} ${whole}`],
    ['before a line with balanced braces', `${whole}\nlog {x}`],
    ['before a stray closing brace', `${whole}\n}`],
    ['after another object on the same line', `{"cancel":false}${whole}`],
    ['after an object of something else', `{"level":"info"}\n${whole}`],
    ['before an object of something else', `${whole}\n{"level":"info"}`],
  ])('is decoded %s', (_, stdout) => {
    expect(decoded(stdout)).toEqual(cancelled('no'))
  })

  it('is decoded from the last object with a field of an answer, and from it alone', () => {
    expect(decoded('{"cancel":true}\n{"cancel":false}')).toEqual(nothing)
    expect(decoded('{"cancel":false,"contextModification":"c"}\n{"cancel":true}')).toEqual(cancelled())
  })

  it.each([
    ['{"cancel":true,"foo":{"cancel":false}}', cancelled()],
    ['{"cancel":true,"errorMessage":"a } b { c"}', cancelled('a } b { c')],
    ['noise\n{"cancel":true,"errorMessage":"}"}\nnoise', cancelled('}')],
  ])('may nest and contain braces: %s', (stdout, outcome) => {
    expect(decoded(stdout)).toEqual(outcome)
  })

  it('is bad output where it was cut off', () => {
    expect(decoded('{"cancel": true, "errorMe')).toEqual(badOutput('ends inside a JSON object'))
    expect(decoded('{"contextModification":"c"}\n{"cancel":')).toEqual(badOutput('ends inside a JSON object'))
  })

  it('still refuses where it was cut off after a refusal', () => {
    expect(decoded('{"cancel":true}\n{"cancel":')).toEqual({
      ...cancelled(),
      failure: { code: 'badOutput', message: containing('ends inside') },
    })
  })

  it('must not nest too deep', () => {
    const deep = `{"cancel":false,"x":${'['.repeat(5000)}${']'.repeat(5000)}}`
    expect(decoded(deep)).toEqual(badOutput('nested deeper than 128 levels'))
  })
})

const noReview = {
  kind: 'notice',
  text: '`review` has no effect: Cline asks nobody; write `{"cancel": true}` to refuse',
}

describe('a field', () => {
  it.each([
    ['{"cancel":true}', cancelled()],
    ['{"cancel":true,"errorMessage":"  no \\n"}', cancelled('no')],
    ['{"cancel":true,"errorMessage":" ","contextModification":"why"}', cancelled('why')],
    [
      '{"cancel":true,"errorMessage":"no","contextModification":"c"}',
      { ...cancelled('no'), advice: [{ kind: 'addContext', text: 'c' }] },
    ],
    ['{"contextModification":"  padded  "}', withContext('  padded  ')],
    ['{"context_modification":"c"}', withContext('c')],
    ['{"cancel":true,"error_message":"no"}', cancelled('no')],
    ['{"contextModification":"c","context_modification":"old"}', withContext('c')],
    [
      '{"cancel":false,"errorMessage":"err"}',
      { kind: 'applicable', obligations: [], advice: [{ kind: 'notice', text: 'err' }] },
    ],
    ['{"review":true}', { kind: 'applicable', obligations: [], advice: [noReview] }],
    ['{"review":true,"cancel":true}', cancelled()],
    ['{"review":false}', nothing],
  ])('is decoded: %s', (stdout, outcome) => {
    expect(decoded(stdout)).toEqual(outcome)
  })

  it.each([
    ['{"cancel":true,"context":"why"}', cancelled('why')],
    ['{"context":"new","contextModification":"old"}', withContext('new')],
    ['{"context":" ","contextModification":"old"}', withContext('old')],
    [
      '{"review":true,"context":"c","errorMessage":"sure?"}',
      {
        kind: 'applicable',
        obligations: [],
        advice: [{ kind: 'addContext', text: 'c' }, { kind: 'notice', text: 'sure?' }, noReview],
      },
    ],
  ])('of the SDK alone is decoded for it, and for other agents: %s', (stdout, outcome) => {
    expect(decodedForSdk(stdout)).toEqual(outcome)
    expect(answerOf(exited(stdout), claude('Bash', { command: 'ls' }))).toEqual(outcome)
  })

  const notRead = (field: string) => ({
    kind: 'notice',
    text: containing(`\`${field}\` has no effect here: only the SDK`),
  })
  const noticed = (...notices: readonly object[]) => ({ kind: 'applicable', obligations: [], advice: notices })
  it.each([
    ['{"context":"new","contextModification":"old"}', noticed(...withContext('old').advice, notRead('context'))],
    ['{"context":"new"}', noticed(notRead('context'))],
    ['{"context":5,"contextModification":"c"}', noticed(...withContext('c').advice, notRead('context'))],
    ['{"cancel":true,"context":"why"}', cancelled()],
    ['{"overrideInput":null,"contextModification":"c"}', withContext('c')],
    ['{"override_input":[1],"errorMessage":"e"}', noticed({ kind: 'notice', text: 'e' }, notRead('override_input'))],
    ['{"review":"yes","contextModification":"c"}', noticed(...withContext('c').advice, noReview)],
  ])('of the SDK alone is not read for the extension, whatever it is: %s', (stdout, outcome) => {
    expect(decoded(stdout)).toEqual(outcome)
    const fromExtension4 = cline.decodeEvent(wires.extension[0] ?? {}, surroundings)
    expect(answerOf(exited(stdout), fromExtension4)).toEqual(outcome)
  })

  it('that replaces an input refuses the call of an extension, which has no such field', () => {
    const exit = override({ path: 'b' })
    expect(answerOf(exit)).toEqual(replaced({ path: 'b' }))
    expect(cline.support(event)).toMatchObject({ replaceInput: 'asDeny' })
  })

  const oldName = { kind: 'notice', text: containing('write `{"cancel": true}`') }
  it.each([
    ['{"shouldContinue":false,"errorMessage":"no"}', { ...cancelled('no'), advice: [oldName] }],
    ['{"should_continue":false}', { ...cancelled(), advice: [oldName] }],
    ['{"shouldContinue":true}', { kind: 'applicable', obligations: [], advice: [oldName] }],
    ['{"cancel":true,"shouldContinue":false}', { ...cancelled(), advice: [oldName] }],
    ['{"cancel":true,"shouldContinue":true}', { ...cancelled(), advice: [oldName] }],
    ['{"cancel":false,"shouldContinue":false}', { ...cancelled(), advice: [oldName] }],
  ])('with the old name means the opposite of the new, and is reported: %s', (stdout, outcome) => {
    expect(decoded(stdout)).toEqual(outcome)
  })

  it.each([
    ['{"cancel":"true"}', '`cancel` must be a boolean, not a string'],
    ['{"cancel":1}', '`cancel` must be a boolean, not a number'],
    ['{"cancel":null}', '`cancel` must be a boolean, not null'],
    ['{"cancel":false,"contextModification":5}', '`contextModification` must be a string, not a number'],
    ['{"cancel":false,"error_message":["x"]}', '`errorMessage` must be a string, not an array'],
    ['{"shouldContinue":0}', '`shouldContinue` must be a boolean, not a number'],
    ['{"cancel":"true","errorMessage":5}', '`errorMessage` must be a string'],
  ])('of a wrong type is bad output: %s', (stdout, message) => {
    expect(decoded(stdout)).toEqual(badOutput(message))
    expect(decodedForSdk(stdout)).toEqual(badOutput(message))
  })

  it.each([
    ['{"context":{}}', '`context` must be a string, not an object'],
    ['{"overrideInput":null}', '`overrideInput` must be an object, not null'],
    ['{"overrideInput":[]}', '`overrideInput` must be an object, not an array'],
    ['{"review":"yes"}', '`review` must be a boolean, not a string'],
  ])('of a wrong type that only the SDK has is bad output for it: %s', (stdout, message) => {
    expect(decodedForSdk(stdout)).toEqual(badOutput(message))
  })

  it.each([
    ['{"overrideInput":null,"contextModification":"c"}', '`overrideInput`'],
    ['{"review":"yes","contextModification":"c"}', '`review`'],
    ['{"context":5,"contextModification":"c"}', '`context`'],
    ['{"cancel":"true","contextModification":"c"}', '`cancel`'],
    ['{"errorMessage":5,"contextModification":"c"}', '`errorMessage`'],
    ['{"shouldContinue":"no","contextModification":"c"}', '`shouldContinue`'],
  ])('of a wrong type is dropped alone, and reported: %s', (stdout, field) => {
    const failure = { code: 'badOutput', message: containing(`its answer's ${field} must be`) }
    expect(decodedForSdk(stdout)).toEqual({ ...withContext('c'), failure })
  })

  it.each([
    ['{"cancel":true,"errorMessage":null}', cancelled()],
    ['{"cancel":true,"error_message":5,"contextModification":"why"}', cancelled('why')],
    ['{"cancel":true,"errorMessage":"no","contextModification":5}', cancelled('no')],
    ['{"shouldContinue":false,"cancel":"yes"}', { ...cancelled(), advice: [oldName] }],
  ])('of a wrong type does not undo a cancel: %s', (stdout, outcome) => {
    const failure = { code: 'badOutput', message: containing('must be a') }
    expect(decoded(stdout)).toEqual({ ...outcome, failure })
  })

  it('has its terminal control characters escaped', () => {
    const stdout = JSON.stringify({ cancel: true, errorMessage: '\u001b[2Jno', contextModification: 'c\u0007\r\nd' })
    expect(decoded(stdout)).toEqual({
      ...cancelled(String.raw`\x1b[2Jno`),
      advice: [{ kind: 'addContext', text: 'c\\x07\nd' }],
    })
  })
})

describe('a hook’s exit', () => {
  it('with a code other than 0 keeps a cancel, which Cline loses', () => {
    const exit = exited('{"cancel":true,"errorMessage":"no"}', { exitCode: 1, failure: exitFailure })
    expect(answerOf(exit)).toEqual({ ...cancelled('no'), failure: exitFailure })
  })

  it('by a signal keeps a cancel', () => {
    const failure = { code: 'signalled', message: 'killed by SIGKILL' } as const
    expect(answerOf(exited('{"cancel":true}', { exitCode: null, failure }))).toEqual({ ...cancelled(), failure })
  })

  it.each(['', '{"cancel":false}', '{"contextModification":"c"}', '{"review":true}', '{"cancel":"true"}', 'oops'])(
    'with a code other than 0 is a failure whatever else was printed: %s',
    (stdout) => {
      const exit = exited(stdout, { exitCode: 1, failure: exitFailure })
      expect(answerOf(exit)).toEqual({ kind: 'indeterminate', failure: exitFailure })
    },
  )

  it('with code 2 is like any other failure', () => {
    const failure = { code: 'nonzeroExit', message: 'exited with code 2' } as const
    const exit = exited('', { exitCode: 2, failure, stderr: 'blocked' })
    expect(answerOf(exit)).toEqual({ kind: 'indeterminate', failure })
  })

  it('by the gate is reported as the failure that caused it', () => {
    const failure = { code: 'timeout', message: 'took more than 30 s' } as const
    const exit: HookExit = { kind: 'failed', failure, stderr: '', durationMs: 30_000 }
    expect(answerOf(exit)).toEqual({ kind: 'indeterminate', failure })
  })
})

describe('output that was meant as an answer but is invalid', () => {
  it.each([
    [`{'cancel': True, 'errorMessage': 'no'}`, 'its stdout looks like JSON but is not'],
    [`{'cancel': True}\nbye`, 'its stdout looks like JSON but is not'],
    [`so {'cancel': True}\nbye`, "its decision is lost: `'cancel': True` is not in a JSON object"],
    [`LOG {'cancel': True}`, 'is not in a JSON object'],
    ['{"Cancel":true}', 'its answer says `Cancel`; write `cancel`'],
    ['{"decision":"block","reason":"no"}', 'which is Claude Code'],
    ['log\n{"hookSpecificOutput":{"permissionDecision":"deny"}}', 'which is Claude Code'],
  ])('is not ignored: %s', (stdout, why) => {
    expect(answerOf(exited(stdout))).toMatchObject({
      kind: 'indeterminate',
      failure: { code: 'badOutput', message: containing(why) },
    })
  })

  const brokenOutputs = [
    '{"cancel": tru',
    '{"cancel": tru}',
    '{"cancel": true,}',
    '{"cancel": True}',
    '{"cancel": false // fine\n}',
    '{"cancel": false, "contextModification": "the "old" name"}',
    '{"cancel": false, "contextModification": "the "old" name',
    '{"cancel": false, "contextModification": "{"rows": 3}"}',
    '{\n  "cancel": false,\n  "contextModification": "one\ntwo"\n}',
    '{"contextModification": "C:\\work"}',
    '{cancel: true}',
    '{',
    '{"',
    '{"can',
    '{"cancel":',
    '[{"cancel": tru',
    '"{\\"cancel\\": tru',
    '\ufeff{"cancel": tru',
    'log\n{"cancel": tru',
    '{"cancel": false}\n{"cancel": tru',
  ]
  it.each(brokenOutputs.flatMap((one) => [one, `${one}\n`, `${one}\r\n\n`]))(
    'begins like JSON and is none, and has failed: %j',
    (stdout) => {
      expect(decoded(stdout)).toMatchObject({ kind: 'indeterminate', failure: { code: 'badOutput' } })
    },
  )

  it('is told also where an answer follows that counts', () => {
    const notice = { kind: 'notice', text: containing('its stdout looks like JSON but is not') }
    expect(decoded('{"cancel": tru\n{"cancel": false}\n')).toMatchObject({ kind: 'applicable', advice: [notice] })
    expect(decoded('{"cancel": tru\n{"cancel": true}\n')).toMatchObject({ kind: 'applicable', effect: 'deny' })
  })

  it.each(['done {x}', '{"rows": 3}', 'started\n{"level":"info"}\nfinished'])(
    'does not include other output: %s',
    (stdout) => {
      expect(answerOf(exited(stdout))).toEqual({ kind: 'notApplicable' })
    },
  )
})

describe('an answer at an event whose answers Cline discards', () => {
  const stop: HookEvent = { ...claude('Bash', {}), name: 'Stop' }

  it('neither refuses nor adds context, so that it cannot keep another agent running; a notice says so', () => {
    const answer = answerOf(exited('{"cancel":true,"contextModification":"TASK_COMPLETED: logged"}'), stop)
    expect(answer).toEqual({
      kind: 'applicable',
      obligations: [],
      advice: [
        { kind: 'notice', text: 'TASK_COMPLETED: logged' },
        { kind: 'notice', text: '`cancel` has no effect at this event' },
      ],
    })
  })

  it('that is empty abstains', () => {
    expect(answerOf(exited('{"cancel":false}'), stop)).toEqual({ kind: 'notApplicable' })
  })
})

describe('a replaced input', () => {
  it('is passed to Cline unchanged', () => {
    expect(answerOf(override({ commands: ['ls -l'] }), sdkEvent)).toEqual(replaced({ commands: ['ls -l'] }))
  })

  it('is translated for another agent', () => {
    const bash = claude('Bash', { command: 'ls', input: { command: 'ls', description: 'list' } })
    expect(answerOf(override({ command: 'ls -l', requires_approval: 'false' }), bash)).toEqual(
      replaced({ command: 'ls -l', description: 'list' }),
    )
  })

  it('names its file relative to the workspace root, as in the event', () => {
    const path = '/home/ada/shop/a.ts'
    const write = claude('Write', { kind: 'write', path, content: 'x', input: { file_path: path, content: 'x' } })
    expect(answerOf(override({ path: 'a.ts', content: 'y' }), write)).toEqual(
      replaced({ file_path: path, content: 'y' }),
    )
    expect(answerOf(override({ path: 'b.ts', content: 'x' }), write)).toEqual(
      replaced({ file_path: '/home/ada/shop/b.ts', content: 'x' }),
    )
  })

  it.each([
    [
      'changes an input without a counterpart',
      claude('Bash', { command: 'ls', input: { command: 'ls' } }),
      { command: 'ls', requires_approval: 'true' },
    ],
    ['is for no tool', cline.decodeEvent(wires.classic[2] ?? {}, surroundings), { prompt: 'x' }],
  ])('refuses where it %s, since it can’t be applied', (_, about, input) => {
    expect(answerOf(override(input), about)).toMatchObject({
      kind: 'applicable',
      effect: 'deny',
      failure: { code: 'notTranslatable', message: containing('`overrideInput`') },
    })
  })

  it('is ignored beside a cancel', () => {
    const exit = exited('{"cancel":true,"overrideInput":{"nonsense":1}}')
    expect(answerOf(exit, claude('Bash', {}))).toEqual(cancelled())
  })
})

describe('any output', () => {
  it('has a well-formed outcome', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (stdout) => {
        expect(['applicable', 'notApplicable', 'indeterminate']).toContain(decoded(stdout).kind)
      }),
    )
  })
})
