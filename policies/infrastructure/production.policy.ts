import {
  abstains,
  answerTo,
  asks,
  definePolicy,
  denies,
  type Impact,
  type ImpactKind,
  namesOneOf,
  type ShellFacts,
  strictest,
  typedWords,
} from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { type Params, params, targets } from './cli/judge.ts'
import { answerOf, isAllowed } from './impacts.ts'

/** The kinds of impacts that change what runs somewhere. */
const changing: ImpactKind[] = [
  'create',
  'change',
  'overwrite',
  'delete',
  'rollback',
  'deploy',
  'stop',
  'restart',
  'publish',
  'withdraw',
  'send',
  'run',
]

/** Returns the name by which an impact is on production, of a value or of an option: `--prod`. */
function targetOf({ area, through, where, targets: given }: Impact, words: readonly string[]): string | undefined {
  const places = Object.entries(given).filter(([name]) => through !== 'request' || name !== 'host')
  const named = places.flatMap(([name, values]) => [
    ...values.filter((value) => namesOneOf(value, words)),
    ...(words.includes(name) ? [name] : []),
  ])[0]
  if (named !== undefined) return named
  // A platform may deploy what is pushed to it, whatever it is called.
  const isByName = places.some(([, values]) => values.some((value) => namesOneOf(value, targets.default)))
  return area === 'stages' && where === 'production' && !isByName ? '' : undefined
}

/** Of production, also what some work undoes is refused if its users notice at once. A change of rows may be meant. */
function effectOf(impact: Impact, given: Params) {
  const effect = answerOf(impact, given)
  if (effect !== 'rated' || impact.area === 'stages') return effect
  return impact.area === 'sql' || impact.unsure === true || !refused.test(impact.kind) ? 'ask' : 'deny'
}
const refused = /^(?:overwrite|delete|rollback|deploy|publish)$/

/** Says that an impact is on production, and which word says so. */
function inProduction(impact: Impact, target: string, shell: ShellFacts | undefined): Impact {
  const command = typeof impact.by === 'number' ? shell?.commands[impact.by] : undefined
  const isSaid = impact.area !== 'stages' || target === '' || `${impact.words} ${impact.elsewhere}`.includes(target)
  const words = `${impact.words} … ${target}`
  return {
    ...impact,
    where: 'production',
    ...(!isSaid && { words: command === undefined ? words : typedWords(words, command) }),
  }
}

/** Judges the impacts that change what runs in production. */
export function judgeProduction(
  impacts: readonly Impact[],
  given: Params & { readonly targets: readonly string[] },
  shell?: ShellFacts,
) {
  const answers = impacts.flatMap((impact) => {
    if (!changing.includes(impact.kind) || isAllowed(impact, given.allowed)) return []
    const target = targetOf(impact, given.targets)
    return target === undefined ? [] : [answerTo(inProduction(impact, target, shell), effectOf(impact, given))]
  })
  return strictest(answers)
}

export default definePolicy({
  id: 'production',
  severity: 'critical',
  description: 'Keeps releases, migrations and other changes from going to production without the person',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: changing },
  params: { ...params, targets },
  decide: ({ impacts, params: given, shell }) => judgeProduction(impacts, given, shell),
  examples: [
    denies('make deploy-prod'),
    denies('make deploy ENV=production'),
    denies('npm run deploy:production'),
    denies('./scripts/deploy.sh production'),
    denies('bash scripts/migrate_prod.sh'),
    denies('python scripts/release.py --env production'),
    denies('railway up --environment production'),
    denies('vercel --prod'),
    denies('vercel env rm KEY production --yes'),
    denies('netlify deploy --prod --dir dist'),
    denies('serverless deploy --stage prod'),
    denies('kubectl --context prod apply -f app.yaml'),
    denies('kubectl delete pod web-1 -n production'),
    denies('terraform apply -var env=production'),
    denies('RAILS_ENV=production rails db:migrate'),
    denies('export RAILS_ENV=production; rails db:migrate'),
    abstains('(export RAILS_ENV=production); rails db:version'),
    denies('cap production deploy'),
    denies('firebase deploy -P production'),
    denies('gh workflow run deploy-prod.yml'),
    denies('gcloud run deploy orders-prod --image i'),
    denies('vercel --prod ./dist'),
    asks('vercel env add KEY production'),
    denies('aws lambda update-function-code --function-name orders-prod --zip-file fileb://f.zip'),
    {
      name: 'a command that is run there',
      given: { input: { command: 'kubectl exec deploy/api -n prod -- printenv' } },
      want: { effect: 'ask', reason: 'runs a command, in production' },
    },
    asks('docker context use prod'),
    asks('git push heroku main'),
    asks('git push origin HEAD:production'),
    asks('scp app.tgz deploy@prod-web-1:/srv/app/'),
    asks('aws s3 sync dist s3://shop-prod'),
    asks("ssh deploy@prod-web-1 'cd /srv/app && git pull'"),
    asks('psql "$PROD_DATABASE_URL" -c "insert into plans values (1)"'),
    asks('curl -X POST https://ci.example.com/job/deploy-prod/build'),
    asks('kubectl scale deployment/api --replicas=3 -n production'),
    abstains('gh workflow view deploy-prod.yml'),
    abstains('git push origin fix/production-bug'),
    abstains('scp deploy@prod-web-1:/var/log/app.log .'),
    abstains("ssh deploy@prod-web-1 'tail -n 100 /var/log/app.log'"),
    abstains('psql "$PROD_DATABASE_URL" -c "select 1"'),
    abstains('npx supabase migration new live_prices'),
    abstains('kubectl rollout status deployment/api -n production'),
    abstains('kubectl get pods -n production'),
    abstains('terraform plan -var env=production'),
    abstains('vercel env ls production'),
    abstains('make deploy-staging'),
    abstains('npm run build -- --mode production'),
    abstains('npm ci --production'),
    abstains('NODE_ENV=production node server.js'),
    abstains('docker build --target production .'),
    abstains('cat scripts/deploy-prod.sh'),
    abstains('git checkout -b deploy-prod'),
    abstains('git commit -m "deploy to production"'),
    abstains('railway variables --environment development'),
    abstains('make -n deploy-prod'),
    abstains('serverless deploy --stage dev'),
    denies('another word for production', 'make deploy-blue', { params: { targets: ['blue'] } }),
    allowed('make deploy-prod', 'make'),
    answered('make deploy-prod', 'ask'),
  ],
})
