import { describe, expect, it } from 'vitest'
import { loosened } from '../../policies/infrastructure/mcp-loosened.ts'

describe('an input that takes a guard away', () => {
  it.each([
    ['a variable that anybody may read', { key: 'A', masked: false }, '`masked` to `false`'],
    [
      'a review that nobody has to give',
      { rules: [{ require_code_owner_reviews: false }] },
      '`require_code_owner_reviews` to `false`',
    ],
    ['a second factor', { policy: { mfaRequired: false } }, '`mfaRequired` to `false`'],
    ['a plan that applies itself', { autoApply: true }, '`autoApply` to `true`'],
    ['checks that are skipped', { skip_checks: true }, '`skip_checks` to `true`'],
    ['the network of the machine', { network_mode: 'host' }, '`network_mode` to `host`'],
    ['the files of the machine', { volumes: ['/:/host'] }, '`volumes` to `/:/host`'],
    ['an entrance without a key', { node: { authentication: 'none' } }, '`authentication` to `none`'],
    ['a failure that lets pass', { spec: { failurePolicy: 'Ignore' } }, '`failurePolicy` to `Ignore`'],
    [
      'the same by a patch',
      { patch: [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }] },
      '`failurePolicy` to `Ignore`',
    ],
    ['a file for everybody', { role: 'reader', type: 'anyone' }, '`type` to `anyone`'],
    ['goods for nothing', { percent_off: 100 }, '`percent_off` to `100`'],
    ['a run that destroys', { run_type: 'is_destroy' }, '`run_type` to `is_destroy`'],
  ])('is %s', (_, input, what) => {
    expect(loosened(input)).toBe(what)
  })

  it.each([
    ['a variable that is masked', { masked: true }],
    ['a plan that waits', { autoApply: false }],
    ['a network of its own', { network_mode: 'bridge' }],
    ['a folder of the project', { volumes: ['./data:/data'] }],
    ['another patch', { patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }] }],
    ['a file for a colleague', { role: 'reader', type: 'user' }],
    ['a text about it', { body: 'privileged: true, autoApply: true' }],
    ['a small discount', { percent_off: 10 }],
    ['nothing', undefined],
  ])('is not %s', (_, input) => {
    expect(loosened(input)).toBeUndefined()
  })

  it('is found however deep servers nest their arguments, and no deeper', () => {
    const nested = (depth: number): unknown => (depth === 0 ? { masked: false } : { a: nested(depth - 1) })
    expect(loosened(nested(7))).toBeDefined()
    expect(loosened(nested(50))).toBeUndefined()
  })
})
