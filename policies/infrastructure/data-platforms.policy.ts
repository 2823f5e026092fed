import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'data-platforms',
  severity: 'critical',
  description: 'Keeps hosted databases, their branches and backups, pipelines and models from being deleted',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['data-platforms'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'data-platforms', given),
  examples: [
    denies('supabase projects delete abc'),
    denies('firebase firestore:delete --all-collections'),
    denies('pscale database delete shop'),
    denies('atlas clusters delete shop'),
    denies('databricks fs rm -r dbfs:/shop'),
    asks('supabase db reset'),
    abstains('firebase deploy --only hosting'),
    abstains('supabase stop'),
    denies('turso db destroy shop --yes'),
    denies('airflow dags delete shop'),
    abstains('pscale branch list delete'),
    abstains('databricks fs ls dbfs:/rm'),
    abstains('atlas clusters describe delete'),
    abstains('dbt run'),
    abstains('convex run users:getById'),
    asks('convex run users:getAndDelete'),
    abstains('airflow dags list'),
    allowed('supabase projects delete abc', 'supabase'),
    answered('supabase projects delete abc', 'ask'),
  ],
})
