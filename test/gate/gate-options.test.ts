import { describe, expect, it } from 'vitest'
import { createGate, type GateOptions } from '../../src/library/index.ts'
import { limits } from '../../src/model/limits.ts'

/** Creates a gate with options that no compiler has checked. */
const untyped = (options: unknown) => () => createGate(options as GateOptions)

describe('an invalid option is rejected by name', () => {
  it.each<[unknown, string]>([
    [{ rulez: ['./hooks.json'] }, 'there is no option `rulez`'],
    [{ sandbox: true }, 'there is no option `sandbox`'],
    [{ rules: './hooks.json' }, '`rules` must be a list of paths'],
    [{ rules: [''] }, '`rules.0` must be a path'],
    [{ discover: 'no' }, '`discover` must be true or false'],
    [{ timeoutMs: 0 }, '`timeoutMs` must be a number of milliseconds from 1'],
    [{ timeoutMs: -5 }, '`timeoutMs` must be a number of milliseconds from 1'],
    [{ timeoutMs: 1e-9 }, '`timeoutMs` must be a number of milliseconds from 1'],
    [{ timeoutMs: Infinity }, '`timeoutMs` must be a number of milliseconds from 1'],
    [{ timeoutMs: limits.hookTimeoutMsMax + 1 }, `from 1 to ${limits.hookTimeoutMsMax}`],
    [{ timeoutMs: '30' }, '`timeoutMs` must be a number of milliseconds from 1'],
    [{ concurrency: 0 }, '`concurrency` must be a whole number from 1 to'],
    [{ policyThreads: 1.5 }, '`policyThreads` must be a whole number from 1 to'],
    [{ placement: 'inline' }, '`placement` must be `process` or `caller`'],
    [{ clinePrecedence: 'global' }, '`clinePrecedence` must be `both` or `project`'],
    [{ env: { A: 1 } }, '`env` must be an object of strings'],
    [{ home: 7 }, '`home` must be a path'],
    [{ home: './home' }, '`home` must be the absolute path of a folder'],
    [{ home: '/a\0' }, '`home` must be the absolute path of a folder'],
    [{ managedFolder: 'etc' }, '`managedFolder` must be the absolute path of a folder'],
    [{ state: 'state' }, '`state` must be the absolute path of a folder'],
    [new Map([['rules', ['./hooks.json']]]), 'the argument of `createGate` must be an object'],
    [{ onRecord: true }, '`onRecord` must be a function'],
    ['./hooks.json', 'the argument of `createGate` must be an object'],
    [null, 'the argument of `createGate` must be an object'],
  ])('%j', (options, message) => {
    expect(untyped(options)).toThrow(expect.objectContaining({ code: 'usage' }))
    expect(untyped(options)).toThrow(message)
  })
})

it('suggests the option closest to a misspelt one', () => {
  expect(untyped({ timoutMs: 1 })).toThrow(expect.objectContaining({ remedy: 'did you mean `timeoutMs`?' }))
})

it('an undefined option counts as omitted', async () => {
  const gate = untyped({ rules: undefined, timeoutMs: undefined, discover: false, env: process.env })()
  expect((await gate.rulesFor({ workspaceRoots: [] })).rules).toEqual([])
  await gate.close()
})
