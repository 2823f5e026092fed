import { expect, it } from 'vitest'
import type { Failure } from '../../../../src/model/failure.ts'
import { type Job, makeJob } from '../../../../src/policy/sandbox/host/job.ts'
import { type Retry, RetryQueue } from '../../../../src/policy/sandbox/host/sandbox-pool.ts'

const timeout: Failure = { code: 'policyTimeout', message: '' }
const neverQuarantined = () => undefined

/** Makes a job of several policies of one domain, and records the code with which each failed. */
function jobOf(domain: number, members: number) {
  const codes: (string | undefined)[] = Array.from({ length: members })
  const job: Job = makeJob<number>({
    policies: codes.map((_, policy) => ({ domain, policy })),
    domains: [],
    size: 0,
    silenceMsMax: 0,
    isCostly: false,
    deadlineAtMs: () => 0,
    isRestricted: () => false,
    encode: () => [''],
    decode: () => [],
    failed: () => 0,
    done: () => {},
  })
  const fail: Job['fail'] = (member, failure) => {
    codes[member] ??= failure.code
    job.fail(member, failure)
  }
  const observed: Job = { ...job, fail, markFailed: fail }
  const retries: Retry[] = codes.map((_, member) => ({ job: observed, member }))
  return { codes, job: observed, retries }
}

it('retries policies of a source that had a failure after those of all others', () => {
  const hostile = jobOf(1, 3)
  const harmless = jobOf(2, 2)
  const queue = new RetryQueue(neverQuarantined)
  queue.addAll(hostile.job)
  queue.addAll(harmless.job)
  const first = queue.next()
  expect(first).toEqual(hostile.retries[0])
  if (first !== undefined) queue.markFailed(first, timeout)
  expect(hostile.codes).toEqual(['policyTimeout', undefined, undefined])
  const order = Array.from({ length: 4 }, () => queue.next())
  expect(order).toEqual([...harmless.retries, ...hostile.retries.slice(1)])
  expect(queue.next()).toBeUndefined()
})

it('does not retry a policy that has been settled in the meantime', () => {
  const { job, retries } = jobOf(1, 2)
  const queue = new RetryQueue(neverQuarantined)
  queue.addAll(job)
  job.fail(0, { code: 'cancelled', message: '' })
  expect(queue.next()).toEqual(retries[1])
  expect(queue.isEmpty).toBe(true)
})

it('does not retry a policy that has been quarantined in the meantime, and returns the reason', () => {
  const { codes, job, retries } = jobOf(1, 2)
  const queue = new RetryQueue(({ policy }) => (policy === 0 ? timeout : undefined))
  queue.addAll(job)
  expect(queue.next()).toEqual(retries[1])
  expect(codes).toEqual(['policyTimeout', undefined])
})
