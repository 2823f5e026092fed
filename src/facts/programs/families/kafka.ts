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
  kcctl: {
    does: {
      object: 'connector',
      names: 'last',
      says: {
        'delete offsets': { kind: 'delete', object: 'the position of', names: 'last' },
        delete: { kind: 'delete', object: 'connector' },
      },
      never: ['delete connector|connectors|offsets'],
      work: ['stop', 'pause', 'restart'],
    },
  },
  'kaf kcl': {
    does: {
      says: {
        topic: { kind: 'delete', object: 'topic' },
        'group delete': { kind: 'delete', object: 'consumer group' },
        'group commit': { kind: 'change', object: 'the position of', names: 'first' },
        node: { kind: 'delete', object: 'broker' },
      },
      never: ['topic delete', 'group delete', 'group commit', 'node decommission'],
      valued: 'b c',
    },
  },
  kafkactl: {
    does: {
      says: {
        'delete|alter': { objectLast: true },
        reset: { kind: 'change', object: 'the position of', names: 'last' },
      },
      never: ['delete *', 'reset *'],
      work: ['alter *'],
      valued: 'c',
    },
  },
  rpk: {
    does: {
      says: {
        'topic trim-prefix|delete-records': { kind: 'delete', object: 'records of', thing: 'data', names: 'first' },
        'group offset-delete': { kind: 'delete', object: 'the position of', names: 'first' },
        'group seek': { kind: 'change', object: 'the position of', names: 'first' },
        'group delete': { kind: 'delete', object: 'consumer group', thing: 'data' },
        'cluster config': { kind: 'change', object: 'the settings of the cluster', names: 'none' },
        'cluster storage': { kind: 'stop', object: 'topic' },
        'cluster brokers|maintenance': { kind: 'stop', object: 'broker' },
        'redpanda admin': { kind: 'stop', object: 'broker' },
        'redpanda stop': { kind: 'stop', object: 'the broker', names: 'none' },
        'container purge': { kind: 'delete', object: 'the local cluster', names: 'none' },
        'container stop': { kind: 'stop', object: 'the local cluster', names: 'none' },
        'topic alter-config': { kind: 'change', object: 'the settings of', names: 'first', thing: 'data' },
        'cluster partitions': { kind: 'change', object: 'the places of partitions', names: 'none' },
        'cluster txn': { kind: 'stop', object: 'transaction' },
        connect: { kind: 'delete', object: 'the connectors of this machine' },
        registry: { kind: 'delete' },
      },
      valued: 'X',
      never: [
        'topic delete|trim-prefix|delete-records',
        'group delete|offset-delete',
        'acl delete',
        'security acl|user|role delete',
        'acl user delete',
        'registry subject|schema|mode delete|hard-delete|reset',
        'cluster config reset',
        'cluster storage unmount',
        'cluster brokers decommission',
        'redpanda admin brokers decommission',
        'container purge',
        'transform delete',
        'cloud cluster|namespace|resource-group delete',
        'connect uninstall',
        'shadow delete',
      ],
      work: [
        'group seek',
        'cluster maintenance enable',
        'container stop',
        'redpanda stop',
        'topic alter-config',
        'cluster partitions move',
        'cluster txn kill',
        'cluster quotas delete',
      ],
      harmless: ['cloud logout', 'profile delete|clear'],
    },
  },
  topicctl: {
    does: {
      says: {
        'delete topic': { kind: 'delete', object: 'topic' },
        'reset-offsets': { kind: 'change', object: 'the position of', names: 'last' },
        'apply|rebalance': { kind: 'change', object: 'topics', names: 'none' },
      },
      never: ['delete topic', 'reset-offsets'],
      work: ['apply', 'rebalance'],
    },
  },
}
