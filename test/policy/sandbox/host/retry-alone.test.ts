import { expect, it } from 'vitest'
import type { Job } from '../../../../src/policy/sandbox/host/job.ts'
import { type Suspect, Suspects } from '../../../../src/policy/sandbox/host/retry-alone.ts'

/** A question to so many policies of one domain, and how each was failed. */
function jobOf(domain: number, members: number) {
  const codes: (string | undefined)[] = Array.from({ length: members })
  const fail: Job['fail'] = (member, { code }) => void (codes[member] ??= code)
  const job: Job = {
    domains: [],
    memberCount: members,
    size: 0,
    silenceMsMax: 0,
    isApart: () => false,
    deadlineAtMs: 0,
    isSettled: () => !codes.includes(undefined),
    isMemberSettled: (member) => codes[member] !== undefined,
    frame: () => '',
    hear: () => {},
    fail,
    convict: fail,
    culprit: (policy) => ({ domain, policy }),
  }
  const suspects: Suspect[] = codes.map((_, member) => ({ job, member, trials: 0 }))
  return { codes, job, suspects }
}

it('hears those of a source that was found guilty when all others have been heard', () => {
  const hostile = jobOf(1, 3)
  const harmless = jobOf(2, 2)
  const suspects = new Suspects()
  suspects.add([...hostile.suspects, ...harmless.suspects])
  const first = suspects.next()
  expect(first).toEqual(hostile.suspects[0])
  if (first !== undefined) suspects.convict(first, { kind: 'hung' })
  expect(hostile.codes).toEqual(['policyTimeout', undefined, undefined])
  const order = Array.from({ length: 4 }, () => suspects.next())
  expect(order).toEqual([...harmless.suspects, ...hostile.suspects.slice(1)])
  expect(suspects.next()).toBeUndefined()
})

it('tells what hung from what brought its process down', () => {
  const { codes, suspects: both } = jobOf(1, 2)
  const suspects = new Suspects()
  const [hung, aborted] = both
  if (hung !== undefined) suspects.convict(hung, { kind: 'hung' })
  if (aborted !== undefined) suspects.convict(aborted, { kind: 'aborted', why: '' })
  expect(codes).toEqual(['policyTimeout', 'policyOutOfMemory'])
})

it('does not hear who has been given up in the meantime', () => {
  const { job, suspects: all } = jobOf(1, 2)
  const suspects = new Suspects()
  suspects.add(all)
  job.fail(0, { code: 'cancelled', message: '' })
  expect(suspects.next()).toEqual(all[1])
  expect(suspects.isEmpty).toBe(true)
})
