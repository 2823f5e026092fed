import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packBundle } from '../../src/bundle/document.ts'
import { readKept } from '../../src/bundle/machine/kept.ts'
import { poll, type PollOptions } from '../../src/bundle/machine/poll.ts'
import { publish, type Rollout } from '../../src/bundle/team/publish.ts'
import { makeRepository, type Signing } from '../../src/bundle/team/roles.ts'
import { folderWith } from './workspace.ts'

export const denyRm = { permissions: { deny: ['Bash(rm *)'] } }
export const channel = 'laptops'

/** A team's folders: keys and a repository with one channel. */
export function makeTeam(options: { readonly roots?: number; readonly threshold?: number } = {}) {
  const folder = folderWith({})
  const repository = { folder: join(folder, 'repo') }
  const signing: Signing = { keys: join(folder, 'keys'), passphrase: undefined, nowMs: Date.now() }
  mkdirSync(repository.folder)
  makeRepository(repository, { roots: options.roots ?? 3, threshold: options.threshold ?? 2 }, [channel], signing)
  return {
    folder,
    repository,
    signing,
    file: (name: string) => join(repository.folder, name),
    publish: (revision: string, rules: object = denyRm, rollout: Partial<Rollout> = {}) =>
      publish(
        repository,
        channel,
        packed(revision, rules),
        { percent: 100, mode: 'enforce', ...rollout },
        { ...signing, nowMs: Date.now() },
      ),
  }
}

export const packed = (revision: string, rules: object = denyRm, more: object = {}) =>
  packBundle({ format: 1, name: 'team', revision, files: {}, rules, params: {}, ...more })

/** A machine that follows the channel. */
export function makeMachine(team: ReturnType<typeof makeTeam>, url: string, more: Partial<PollOptions> = {}) {
  const { folder = join(folderWith({}), 'bundles') } = more
  mkdirSync(folder, { recursive: true })
  const pinned = readFileSync(team.file('metadata/1.root.json'), 'utf8')
  const options = {
    folder,
    pinned,
    url,
    channel,
    headers: {},
    machineId: 'machine-1',
    check: async () => [],
    refused: new Map<string, string>(),
    requestMs: 2000,
    signal: new AbortController().signal,
    ...more,
  }
  return {
    folder,
    pinned,
    poll: () => poll(options),
    /** What would be in force now. */
    kept: (at: { readonly nowMs?: number; readonly pinned?: string } = {}) =>
      readKept({
        folder,
        pinned: at.pinned ?? pinned,
        settings: { url, channel },
        machineId: options.machineId,
        nowMs: at.nowMs ?? Date.now(),
        read: (file) => (existsSync(file) ? readFileSync(file) : undefined),
      }),
    revision() {
      const kept = this.kept()
      return kept.kind === 'kept' ? kept.bundle?.revision : kept.why
    },
  }
}
