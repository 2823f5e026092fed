import { liveByVerbs } from '../deeds/deeds.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import type { Family } from '../program.ts'
import type { Line, Row } from '../row.ts'
import type { Starts } from '../starts.ts'

/** Options of the clients of clouds and their stores. */
export const storeOptions =
  'project format filter account region zone c=read config=read o h m? data-file=read flags-file=read quiet? source-dir=names profile namespace bucket-name file=read name key-file=key'

/** Clients of clouds and of their stores: what they copy to a store or to a machine, and from there. */
export const storeClient: Row = {
  options: storeOptions,
  effects(line, recorder) {
    const words = line.operands
    const verb = words.findIndex(({ value }) =>
      /^(?:cp|mv|rsync|sync|put|get|copy|mirror|upload|download|rm|cat|ls|upload-file|scp)$/.test(value),
    )
    if (verb === -1) return recorder.network({ kind: 'service', direction: line.has('data-file') ? 'both' : 'receive' })
    const name = words[verb]?.value ?? ''
    const places = words.slice(verb + 1)
    if (name === 'scp') return copiedToMachine(places, recorder)
    stored(places, name, true, recorder, onlyTries(line))
  },
}

/** Starts the remote script of a cloud's own ssh, which is the value of an option. */
export function startOverSsh(line: Line, starts: Starts, option: string): void {
  const text = line.value(option)
  const verbs = new Set(['ssh', 'run-command', 'send-command'])
  if (text !== undefined && line.operands.some(({ value }) => verbs.has(value)))
    starts.script(text, { elsewhere: true, cwd: undefined })
}

function copiedToMachine(places: readonly ShellWord[], recorder: EffectRecorder): void {
  const to = places.at(-1)
  const sends = to?.value.includes(':') === true
  recorder.network({ kind: 'copy', direction: sends ? 'send' : 'receive' })
  for (const word of places.slice(0, -1))
    if (!word.value.includes(':')) recorder.touch(word, 'read', { recursive: true })
  if (!sends) recorder.touch(to, 'into')
}

/** True for the address of a store, as in `s3://shop`. */
export const isStore = ({ value }: ShellWord): boolean => /^[a-z0-9]+:\/\//i.test(value)

/** Records a copy between this machine and an object store: `s3://…`, `gs://…`. */
export function stored(
  places: readonly ShellWord[],
  verb: string,
  recursive: boolean,
  recorder: EffectRecorder,
  isTrial: boolean,
  host?: string,
): void {
  const named = host === undefined ? {} : { host }
  const local = places.filter((word) => !isStore(word))
  if (local.length === places.length && verb !== 'put' && verb !== 'upload') {
    if (places.length > 0) recorder.network({ kind: 'store', direction: 'both', ...named })
    for (const word of places.slice(0, 1))
      if (word.value.includes('/') || word.value.includes('.')) recorder.touch(word, 'read', { recursive })
    return
  }
  const to = places.at(-1)
  const sends = verb === 'put' || verb.startsWith('upload') || (to !== undefined && isStore(to) && places.length > 1)
  recorder.network({ kind: 'store', direction: sends && !isTrial ? 'send' : 'receive', ...named })
  if (sends) {
    for (const word of local) {
      recorder.touch(word, 'read', { recursive })
      if (verb === 'mv') recorder.touch(word, 'delete', { recursive })
    }
    // An upload reads stdin only with the operand `-`.
    if (!local.some(({ value }) => value === '-')) recorder.readsNoStdin()
  } else {
    const target = verb === 'get' ? local.at(-1) : to
    if (target !== undefined && !isStore(target)) recorder.touch(target, recursive ? 'into' : 'write')
  }
}

export const onlyTries = (line: Line): boolean => line.surely('dry-run', 'dryrun')

/** Clients of object stores that speak the protocol of Amazon's. */
export const objectStores: Family = {
  area: 'aws',
  programs: {
    s3cmd: {
      abbreviates: true,
      ...storeClient,
      does: [
        {
          trial: '--dry-run',
          says: {
            rb: { kind: 'delete', object: 'bucket' },
            'del|rm --recursive|-r': { kind: 'delete', object: 'everything in', thing: 'data' },
            'del|rm': { kind: 'delete', object: 'object' },
            sync: { kind: 'delete', object: 'files that are only in', thing: 'data', names: 'last' },
            fixbucket: { kind: 'change', object: 'bucket' },
            dellifecycle: { kind: 'delete', object: 'the lifecycle rules of', thing: 'data' },
            'delpolicy|delcors': { kind: 'delete', object: 'the access rules of', thing: 'account' },
            expire: { kind: 'delete', object: 'objects by age in', thing: 'data' },
            mv: { kind: 'change', object: 'object', names: 'first' },
          },
          valued: 'c',
          never: [
            'rb',
            'del|rm --recursive|-r',
            'sync --delete-removed|--delete-after',
            'fixbucket',
            'dellifecycle|delpolicy|delcors',
            'expire',
          ],
          work: ['del|rm', 'mv'],
        },
        liveByVerbs('publish', 'deploy'),
      ],
    },
    s5cmd: {
      ...storeClient,
      does: {
        trial: 's5cmd --dry-run',
        says: {
          rb: { kind: 'delete', object: 'bucket' },
          sync: { kind: 'delete', object: 'files that are only in', thing: 'data', names: 'last' },
          rm: { kind: 'delete', object: 'object' },
          mv: { kind: 'change', object: 'object', names: 'first' },
        },
        never: ['rb', 'sync --delete'],
        work: ['rm', 'mv'],
      },
    },
    s4cmd: {
      ...storeClient,
      does: {
        trial: '--dry-run',
        says: {
          'del --recursive|-r': { kind: 'delete', object: 'everything in', thing: 'data' },
          del: { kind: 'delete', object: 'object' },
          mv: { kind: 'change', object: 'object', names: 'first' },
        },
        never: ['del --recursive|-r'],
        work: ['del', 'mv'],
      },
    },
    'mc mcli': {
      ...storeClient,
      does: {
        says: {
          rb: { kind: 'delete', object: 'bucket' },
          'rm --recursive|-r': { kind: 'delete', object: 'everything in', thing: 'data' },
          rm: { kind: 'delete', object: 'object' },
          mirror: { kind: 'delete', object: 'files that are only in', thing: 'data', names: 'last' },
          undo: { kind: 'rollback', object: 'the last changes of', thing: 'data' },
          'admin user svcacct': { kind: 'delete', object: 'service account' },
          'admin bucket remote': { kind: 'delete', object: 'replication target' },
          ilm: { kind: 'delete', object: 'lifecycle rule' },
          replicate: { kind: 'delete', object: 'the replication of' },
          version: { kind: 'stop', object: 'the versions of', thing: 'backup' },
          encrypt: { kind: 'weaken', object: 'the encryption of', thing: 'guard' },
          event: { kind: 'delete', object: 'notification' },
          'retention|legalhold': { kind: 'weaken', object: 'the retention of', thing: 'guard' },
          'admin decommission': { kind: 'delete', object: 'the storage pool of', thing: 'data' },
          tag: { kind: 'delete', object: 'the tags of', thing: 'data' },
          idp: { object: 'sign-on by', thing: 'account' },
          mv: { kind: 'change', object: 'object', names: 'first' },
          'admin service': { object: 'server' },
          alias: { kind: 'delete', object: 'the alias of', thing: 'infrastructure' },
          'admin heal': { kind: 'change', object: 'the data of' },
          'anonymous set': { kind: 'change', object: 'the public access to a bucket', thing: 'account', names: 'none' },
        },
        never: [
          'rb',
          'rm --recursive|-r|--force',
          'mirror --remove',
          'undo',
          'admin bucket delete',
          'admin user|group|policy|service-account remove|rm',
          'admin user svcacct rm|remove',
          'admin bucket remote rm',
          'ilm rm|remove',
          'ilm rule rm|remove',
          'replicate rm|remove',
          'version suspend',
          'encrypt clear',
          'event remove|rm',
          'retention clear',
          'legalhold clear',
          'admin decommission start',
          'admin kms key delete',
          'tag remove',
          'idp ldap|openid remove|disable',
        ],
        work: ['rm', 'mv', 'admin service stop|restart', 'alias remove|rm', 'admin heal --force', 'anonymous set'],
        trials: 'fake',
      },
    },
  },
  examples: {
    's3cmd ls s3://shop': '',
    's3cmd sync --delete-removed ./site s3://shop': 'deletes files that are only in `s3://shop`, for good',
    's5cmd rm s3://shop/a': 'deletes object `s3://shop/a`',
    's4cmd del -r s3://shop/a': 'deletes everything in `s3://shop/a`, for good',
    'mc rb --force local/shop': 'deletes bucket `local/shop`, for good',
  },
}
