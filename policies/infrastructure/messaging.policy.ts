import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'messaging',
  severity: 'high',
  description:
    'Keeps topics, queues, streams, consumers and the messages in them from being deleted, purged or skipped',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['messaging'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'messaging', given),
  examples: [
    denies('kafka-topics --bootstrap-server kafka:9092 --delete --topic orders'),
    denies('/opt/kafka/bin/kafka-topics.sh --bootstrap-server kafka:9092 --topic orders --delete'),
    denies('kafka-delete-records.sh --bootstrap-server kafka:9092 --offset-json-file o.json'),
    denies(
      'kafka-consumer-groups --bootstrap-server k:9092 --group g --topic t --reset-offsets --to-earliest --execute',
    ),
    denies('kafka-acls --bootstrap-server k:9092 --remove --topic t'),
    denies('rabbitmqctl -n rabbit@a delete_vhost /shop'),
    denies('rabbitmqctl purge_queue orders'),
    denies('rabbitmqctl force_reset'),
    denies('rabbitmqadmin -H mq.example.com delete queue name=orders'),
    denies('nats stream rm ORDERS -f'),
    denies('nats -s nats://a:4222 kv del CONFIG key'),
    denies('nats stream purge ORDERS'),
    denies('pulsar-admin topics delete persistent://shop/a/orders'),
    denies('rpk topic delete orders'),
    denies('celery -A shop purge -f'),
    asks('kafka-topics --bootstrap-server kafka:9092 --alter --topic orders --partitions 9'),
    abstains('kafka-topics --bootstrap-server kafka:9092 --list'),
    abstains('kafka-topics --bootstrap-server kafka:9092 --describe --topic delete'),
    abstains('kafka-consumer-groups --bootstrap-server k:9092 --describe --group delete'),
    abstains('rabbitmqctl list_queues name messages'),
    abstains('rabbitmqctl status'),
    abstains('nats stream info PURGE'),
    abstains('nats kv get CONFIG del'),
    abstains('nats pub orders.purge hello'),
    abstains('rpk topic list'),
    abstains('pulsar-admin topics stats persistent://shop/a/delete'),
    abstains('celery -A shop inspect active'),
    abstains('echo "kafka-topics --delete --topic orders"'),
    allowed('kafka-topics --bootstrap-server kafka:9092 --delete --topic orders', 'kafka-topics'),
    answered('kafka-topics --bootstrap-server kafka:9092 --delete --topic orders', 'ask'),
  ],
})
