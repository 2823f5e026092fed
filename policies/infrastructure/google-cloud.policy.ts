import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'google-cloud',
  severity: 'critical',
  description: "Keeps a Google Cloud project's resources and data from being deleted or disabled",
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['google-cloud'] },
  params: {
    ...params,
    allowedProjects: {
      type: 'strings',
      default: [],
      description: 'projects that may be changed if the command names one with `--project`',
    },
  },
  decide: ({ impacts, params: given }) =>
    judge(impacts, 'google-cloud', given, ({ targets }) =>
      (targets['project'] ?? []).some((one) => given.allowedProjects.includes(one)),
    ),
  examples: [
    denies('gcloud compute instances delete web-1 --zone europe-west1-b'),
    denies('gcloud projects delete shop'),
    denies('gcloud --quiet sql instances delete db'),
    denies('gcloud run services delete web --region europe-west1'),
    denies('gcloud deploy delivery-pipelines delete web'),
    denies('gcloud projects remove-iam-policy-binding shop --member user:a@example.com --role roles/owner'),
    denies('gcloud services disable compute.googleapis.com'),
    denies('gcloud secrets versions destroy 3 --secret db'),
    denies('gsutil -m rm -r gs://shop-logs'),
    denies('gsutil rsync -d -r ./empty gs://shop-logs'),
    denies('bq rm -r -f shop:orders'),
    asks('gsutil rm gs://shop-logs/one.txt'),
    asks('gcloud compute instances stop web-1'),
    abstains('gcloud compute instances list --filter delete'),
    abstains('gcloud --format delete compute instances list'),
    abstains('gcloud compute instances describe delete'),
    abstains('gcloud run deploy delete-users --source .'),
    abstains('gcloud projects delete shop --help'),
    abstains('gcloud config unset project'),
    abstains('gsutil ls gs://rm'),
    abstains('gsutil cp rm.txt gs://shop-logs'),
    abstains('bq ls shop'),
    abstains('a project that is allowed', 'gcloud --project trials pubsub topics delete t', {
      params: { allowedProjects: ['trials'] },
    }),
    allowed('gcloud compute instances delete web-1 --zone europe-west1-b', 'gcloud'),
    answered('gcloud compute instances delete web-1 --zone europe-west1-b', 'ask'),
  ],
})
