import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'

/** Kafka's own scripts have no subcommands: an option says what is done. */
const kafka = (never: readonly string[], work: readonly string[] = []): Deeds => ({
  valued: 'command-config topic partitions zookeeper entity-type entity-name add-config delete-config reset-policy',
  never,
  work,
})

export const kafkaTools: Family['programs'] = {
  'kafka-topics': { does: { ...kafka(['--delete'], ['--alter']), object: 'topic', names: '--topic' } },
  'kafka-delete-records': { does: { ...kafka(['']), object: 'records of topics', names: 'none' } },
  'kafka-configs': {
    does: {
      ...kafka(['--delete-config', '--alter --delete-config'], ['--alter --add-config']),
      kind: 'change',
      object: 'settings of',
      names: '--entity-name|--topic',
    },
  },
  'kafka-consumer-groups': {
    does: {
      ...kafka(['--delete', '--delete-offsets', '--reset-offsets --execute'], ['--reset-offsets']),
      says: {
        '--reset-offsets': { kind: 'change', object: 'the position of', names: '--group' },
        '--delete-offsets': { kind: 'delete', object: 'the position of', names: '--group' },
        '--delete': { object: 'consumer group', names: '--group' },
      },
    },
  },
  'kafka-acls': {
    does: { ...kafka(['--remove']), kind: 'revoke', object: 'access rules of', names: '--topic|--group' },
  },
  'kafka-streams-application-reset': {
    does: { ...kafka([''], []), object: 'the state of', names: '--application-id' },
  },
  'kafka-leader-election': {
    does: { ...kafka([], ['']), kind: 'restart', object: 'the leaders of partitions', names: 'none' },
  },
  'kafka-reassign-partitions': {
    does: {
      ...kafka([], ['--execute', '--cancel']),
      kind: 'change',
      object: 'the places of partitions',
      names: 'none',
    },
  },
  'kafka-storage': {
    does: { ...kafka(['format']), kind: 'delete', object: 'everything that the broker stores', names: 'none' },
  },
  'kafka-server-stop': { does: { ...kafka(['']), kind: 'stop', object: 'the broker', names: 'none' } },
  'kafka-transactions': {
    does: {
      ...kafka([], ['abort', 'force-terminate']),
      kind: 'stop',
      object: 'transaction',
      names: '--transactional-id',
    },
  },
  'kafka-delegation-tokens': {
    does: {
      ...kafka(['--expire']),
      kind: 'revoke',
      object: 'token',
      thing: 'secret',
      names: 'none',
    },
  },
  'kafka-features': {
    does: {
      ...kafka([], ['downgrade', 'disable']),
      kind: 'change',
      object: 'the features of the cluster',
      names: 'none',
    },
  },
  'kafka-cluster': { does: { ...kafka(['unregister']), object: 'broker', names: '--id' } },
  'kafka-metadata-quorum': {
    does: { ...kafka(['remove-controller']), object: 'controller', names: '--controller-id' },
  },
  'kafka-share-groups': {
    does: {
      ...kafka(['--delete', '--delete-offsets'], ['--reset-offsets']),
      says: {
        '--reset-offsets': { kind: 'change', object: 'the position of', names: '--group' },
        '--delete|--delete-offsets': { object: 'share group', names: '--group' },
      },
    },
  },
  'kafka-groups': { does: { ...kafka(['--delete']), object: 'group', names: '--group' } },
  'zookeeper-shell': {
    does: {
      ...kafka(['* deleteall|rmr|delete', 'deleteall|rmr|delete']),
      kind: 'delete',
      object: 'node of the tree',
      names: 'last',
    },
  },
  'zookeeper-server-stop': { does: { ...kafka(['']), kind: 'stop', object: 'the coordination server', names: 'none' } },
}
