import { liveBy, byVerb, platformStage } from '../../deeds/deeds.ts'
import type { Family } from '../../program.ts'

/** Pipelines of data, warehouses, and where models are trained and kept. */
export const pipelines: Family['programs'] = {
  databricks: {
    does: [
      {
        ...byVerb,
        says: {
          'bundle destroy': { object: 'everything that the bundle has deployed', thing: 'deployment' },
          'fs|dbfs rm': { object: 'file' },
          'workspace delete|rm': { object: 'notebook or folder' },
          'runs|jobs cancel|cancel-run': { kind: 'stop', object: 'run' },
          'clusters edit': { kind: 'change', object: 'cluster', names: '--cluster-id' },
          'clusters *': { object: 'cluster' },
        },
        nouns: 'logs runs',
        verbs: 'permanent-delete delete-scope delete-secret delete-acl unpin trash',
        never: [
          'fs rm',
          'workspace delete|rm',
          'clusters delete|permanent-delete',
          'bundle destroy',
          'secrets delete*',
          'unity-catalog * delete',
          'jobs delete',
          'dbfs rm',
          'tables|schemas|catalogs|volumes|metastores delete',
        ],
        work: ['runs cancel', 'jobs cancel-run', 'clusters edit'],
      },
      platformStage,
    ],
    rentsMachines: true,
    sql: { options: 'query statement json', stdin: false },
  },
  dbt: {
    does: [
      {
        says: {
          'run|build|seed': { kind: 'overwrite', object: 'all tables of the models', names: 'none', thing: 'data' },
          clean: { kind: 'delete', object: 'what dbt has built locally', names: 'none' },
          'run-operation': { kind: 'change', object: 'the database', names: 'none', thing: 'data' },
        },
        work: [
          'run --full-refresh|-f',
          'build --full-refresh|-f',
          'seed --full-refresh|-f',
          'clean',
          'run-operation drop*|delete*|truncate*|purge*',
        ],
      },
      platformStage,
    ],
  },
  snow: {
    does: { ...byVerb, nouns: 'logs sql', harmless: ['connection remove'] },
    sql: { options: 'q query', valued: 'c connection f filename', behind: 'sql' },
  },
  dolt: {
    does: {
      says: {
        reset: { kind: 'delete', object: 'every uncommitted change', names: 'none' },
        branch: { kind: 'delete', object: 'branch' },
        table: { kind: 'delete', object: 'table' },
        remote: { kind: 'delete', object: 'remote' },
        gc: { kind: 'delete', object: 'every unreferenced row', names: 'none' },
      },
      work: ['reset --hard', 'branch -d|-D|--delete', 'table rm', 'remote remove', 'gc'],
    },
  },
  astro: {
    does: {
      ...byVerb,
      says: { 'dev kill': { kind: 'delete', object: 'the local data of the project', thing: 'data' } },
      nouns: 'logs dev',
      work: ['dev kill'],
    },
  },
  airflow: {
    does: {
      says: {
        'db reset|clean': { kind: 'delete', object: 'the records of Airflow', thing: 'data', names: 'none' },
        'db downgrade': { kind: 'rollback', object: 'the tables of Airflow', thing: 'data', names: 'none' },
        resetdb: { kind: 'delete', object: 'the records of Airflow', thing: 'data', names: 'none' },
        delete_dag: { kind: 'delete', object: 'DAG' },
        'tasks clear': { kind: 'restart', object: 'tasks of DAG', names: 'first' },
        'backfill|dags backfill': { kind: 'restart', object: 'tasks of DAG', names: 'first' },
        'connections|variables|pools reset': { kind: 'delete', object: 'all connections, variables or pools' },
      },
      never: [
        'db reset|clean|downgrade',
        'dags delete',
        'users delete',
        'connections|variables|pools delete|reset',
        'roles delete',
        'resetdb',
        'delete_dag',
      ],
      work: ['tasks clear', 'backfill', 'dags backfill', 'backfill create', 'dags pause'],
      harmless: ['db clean --dry-run'],
    },
  },
  prefect: {
    does: {
      ...byVerb,
      says: {
        'server database *': { kind: 'delete', object: 'every record of the server', thing: 'data', names: 'none' },
        'database *': { kind: 'delete', object: 'every record of the server', thing: 'data', names: 'none' },
      },
      nouns: 'logs',
      never: ['server database reset|downgrade', 'database reset'],
      work: ['work-pool|work-queue|deployment pause'],
      harmless: ['cloud logout', 'config unset', 'profile delete'],
    },
  },
  dagster: {
    does: {
      says: {
        'run wipe': { kind: 'delete', object: 'the records of all runs', names: 'none' },
        asset: { kind: 'delete', object: 'the records of', thing: 'data' },
        'schedule|sensor wipe': {
          kind: 'delete',
          object: 'the state of all schedules and sensors',
          thing: 'data',
          names: 'none',
        },
        'instance|debug': { kind: 'delete', object: 'the state of the instance', thing: 'data' },
      },
      never: [
        'run wipe|delete',
        'asset wipe|wipe-partitions-status-cache',
        'schedule wipe',
        'sensor wipe',
        'instance * wipe',
        'debug wipe',
      ],
      work: ['schedule stop', 'sensor stop'],
    },
  },
  temporal: {
    does: {
      says: {
        'operator namespace': { kind: 'delete', object: 'namespace' },
        'workflow delete': { kind: 'delete', object: 'workflow', names: '-w|--workflow-id' },
        'workflow terminate|cancel': { kind: 'stop', object: 'workflow', names: '-w|--workflow-id' },
        'workflow reset': { kind: 'rollback', object: 'workflow', names: '-w|--workflow-id' },
        'operator search-attribute': { kind: 'delete', object: 'search attribute', names: '--name' },
        'schedule delete': { kind: 'delete', object: 'schedule', names: '-s|--schedule-id' },
        'operator cluster': { kind: 'delete', object: 'connection to a cluster', names: '--name' },
        batch: { kind: 'stop', object: 'batch job', names: '--job-id' },
        activity: { kind: 'stop', object: 'activity', names: '--activity-id' },
      },
      never: [
        'workflow delete|terminate',
        'operator namespace delete',
        'operator search-attribute remove',
        'schedule delete',
        'operator cluster remove',
        'env delete',
      ],
      work: ['workflow reset|cancel', 'batch terminate', 'activity fail'],
      valued: 'n',
    },
  },
  tctl: {
    does: {
      says: {
        'workflow terminate|cancel': { kind: 'stop', object: 'workflow', names: '-w|--workflow_id' },
        'workflow reset': { kind: 'rollback', object: 'workflow', names: '-w|--workflow_id' },
        'workflow delete': { kind: 'delete', object: 'workflow', names: '-w|--workflow_id' },
      },
      never: ['workflow terminate|delete', 'namespace delete', 'admin * delete'],
      work: ['workflow reset|cancel'],
      valued: 'ns',
    },
  },
  modal: {
    does: [
      {
        says: {
          'volume rm': { kind: 'delete', object: 'files of volume', names: 'first' },
          'nfs rm|delete': { kind: 'delete', object: 'file share', thing: 'data' },
          'dict|queue clear': { kind: 'delete', object: 'everything in', thing: 'data' },
          'dict delete': { kind: 'delete', object: 'dict', thing: 'data' },
          'app stop': { kind: 'stop', object: 'app' },
        },
        never: [
          'volume rm|delete',
          'secret delete',
          'environment delete',
          'nfs rm|delete',
          'dict delete|clear',
          'queue delete|clear',
          'app stop',
        ],
        harmless: ['token *'],
      },
      platformStage,
    ],
  },
  // Providers of models: what was trained, and the files, batches and keys for it.
  openai: {
    does: {
      says: { '* *.cancel*|*:cancel*': { kind: 'stop', object: 'training or batch', names: '-i|--id' } },
      names: '-i|--id|-m|--model',
      object: 'file or model',
      byVerb: 'never',
      never: ['* *.delete*|*:delete*'],
      work: ['* *.cancel*|*:cancel*'],
    },
  },
  'anthropic mistral mistralai together cohere fireworks firectl groq': {
    does: { byVerb: 'never', nouns: 'complete' },
  },
  replicate: { does: { byVerb: 'never', nouns: 'train run' } },
  'huggingface-cli': {
    does: [
      {
        says: {
          'repo-files': { kind: 'delete', object: 'files of', thing: 'repository', names: 'first' },
          tag: { kind: 'delete', object: 'tag', names: 'last' },
          'delete-cache': { kind: 'delete', object: 'the local cache of models' },
        },
        never: ['repo-files * delete', 'repo delete', 'tag --delete|-d', 'repo-files delete'],
        work: ['delete-cache'],
      },
      liveBy(/^upload\b/),
    ],
  },
  hf: {
    does: [
      {
        says: {
          'repo-files': { kind: 'delete', object: 'files of', thing: 'repository', names: 'first' },
          'repo tag|branch delete': { kind: 'delete', names: 'last' },
          endpoints: { kind: 'delete', object: 'endpoint', thing: 'deployment' },
          cache: { kind: 'delete', object: 'the local cache of models' },
        },
        never: ['repo delete', 'repo-files delete', 'repo tag delete', 'repo branch delete', 'endpoints delete'],
        work: ['cache delete'],
      },
      liveBy(/^(?:upload|repo create)\b/),
    ],
  },
  wandb: {
    does: {
      says: {
        artifact: { kind: 'delete', object: 'the local cache of artifacts' },
        sync: { kind: 'delete', object: 'the local records of runs' },
        sweep: { kind: 'stop', object: 'sweep' },
        server: { kind: 'stop', object: 'the local server' },
      },
      never: ['artifact cache cleanup --remove-all', 'sync --clean|--clean-force'],
      work: ['sweep --cancel|--stop', 'server stop'],
    },
  },
  mlflow: {
    does: {
      says: {
        gc: { kind: 'delete', object: 'every run that is marked as deleted', thing: 'record' },
        experiments: { kind: 'delete', object: 'experiment', thing: 'record', names: '-x|--experiment-id' },
        runs: { kind: 'delete', object: 'run', thing: 'record', names: '--run-id' },
        models: { kind: 'delete', object: 'model', thing: 'package' },
        db: { kind: 'change', object: 'the tables of the server', thing: 'data', names: 'none' },
      },
      never: ['gc', 'experiments delete', 'runs delete', 'models delete'],
      work: ['db upgrade'],
    },
  },
  dvc: {
    does: {
      says: {
        gc: { kind: 'delete', object: 'unused versions of data', thing: 'data' },
        destroy: { kind: 'delete', object: 'the data versions of the project', thing: 'data' },
        remove: { kind: 'delete', object: 'the tracking of', thing: 'data' },
        remote: { kind: 'delete', object: 'remote storage' },
      },
      work: ['gc', 'destroy', 'remove', 'remote remove'],
    },
  },
}
