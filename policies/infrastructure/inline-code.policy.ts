import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { allowLocal, params } from './cli/judge.ts'
import { isForTests, testDatabases } from './data/test-databases.ts'
import { callAt, judge } from './impacts.ts'

export default definePolicy({
  id: 'inline-code',
  severity: 'high',
  description: 'Keeps code on the command line from deleting through databases, requests and provider libraries',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['code'] },
  params: { ...params, allowLocal, testDatabases },
  decide: ({ shell, impacts, params: given }) =>
    judge(impacts, 'inline-code', given, ({ by, where }) => {
      // Only code that a framework runs is sure to act on the database that the command names.
      const isByFramework = typeof by === 'number' && shell.commands[by]?.code === undefined
      if (isByFramework) return isForTests(callAt(shell, by), given.testDatabases)
      return given.allowLocal && where === 'local'
    }),
  examples: [
    denies(`python -c "import boto3; boto3.client('s3').delete_bucket(Bucket='logs')"`),
    denies(`python3 -c "import requests; requests.delete('https://api.example.com/users/7')"`),
    denies(
      `node -e "require('stripe')('k').customers.del('c'); fetch('https://api.example.com/a', { method: 'DELETE' })"`,
    ),
    denies(`python -c "import psycopg2; psycopg2.connect('').cursor().execute('DROP TABLE users')"`),
    denies(`python -c "import redis; redis.Redis().flushall()"`),
    denies(`ruby -e "require 'braintree'; Braintree::Customer.delete('a')"`),
    denies("rails runner 'User.delete_all'"),
    denies('bundle exec rails r \'ActiveRecord::Base.connection.execute("DROP TABLE users")\''),
    denies("python manage.py shell -c 'from shop.models import Order; Order.objects.all().delete()'"),
    denies("echo 'db.drop_all()' | flask shell"),
    denies("php artisan tinker --execute='User::truncate();'"),
    denies("mix run -e 'Repo.delete_all(User)'"),
    asks("rails runner 'User.where(old: true).destroy_all'"),
    asks("./manage.py shell -c 'Order.objects.filter(old=True).delete()'"),
    asks(`python3 -c "import requests; requests.patch('https://app.launchdarkly.com/api/v2/flags/a', json={})"`),
    asks(`node -e "fetch('https://api.pagerduty.com/incidents', { method: 'PUT', body: b })"`),
    abstains(`python3 -c "import requests; requests.get('https://api.stripe.com/v1/charges')"`),
    abstains(`node -e "fetch('http://localhost:3000/flags', { method: 'PUT', body: b })"`),
    abstains("rails runner 'puts User.count'"),
    abstains('rails runner scripts/delete_all.rb'),
    abstains("python manage.py shell -c 'print(Order.objects.count())'"),
    abstains('a database for tests', "RAILS_ENV=test rails runner 'User.delete_all'", {
      params: { testDatabases: ['test'] },
    }),
    asks(`python3 -c "import requests; requests.delete('http://localhost:3000/users/7')"`),
    abstains(`python -c "import boto3; print(boto3.client('s3').list_buckets())"`),
    abstains(`python3 -c "import requests; print(requests.get('https://api.example.com/delete'))"`),
    abstains(`python -c "print('DROP TABLE users')"`),
    abstains(`python -c "print('requests.delete(a)')"`),
    abstains('SQL that a client’s namesake parses', `node -e "require('pg-query').parse('DELETE FROM a')"`),
    abstains('SQL that is only parsed', `python -c "import sqlparse; sqlparse.parse('DROP TABLE users')"`),
    abstains(`node -e "new Map().delete('a')"`),
    abstains(`python -c "import sqlite3; sqlite3.connect(':memory:').execute('DROP TABLE a')"`),
    abstains(`node -e "console.log('DELETE FROM users')"`),
    allowed(`python -c "import boto3; boto3.client('s3').delete_bucket(Bucket='logs')"`, 'python'),
    answered(`python -c "import boto3; boto3.client('s3').delete_bucket(Bucket='logs')"`, 'ask'),
  ],
})
