import { describe, expect, it } from 'vitest'
import { callsIn } from '../../../policies/infrastructure/cli/calls.ts'
import { releaseIn } from '../../../policies/infrastructure/data/releases.ts'
import { factsOf } from '../../support/shell-facts.ts'

const isRelease = (command: string) =>
  callsIn(factsOf(command)).some((call) => releaseIn(call, ['production', 'prod'])?.effect === 'deny')

/** Commands in pairs: one that changes production, and the same words harmless. */
const pairs: readonly (readonly [danger: string, harmless: string])[] = [
  ['make deploy-prod', 'make build-prod'],
  ['make deploy ENV=production', 'make deploy ENV=staging'],
  ['npm run migrate:production', 'npm run build:production'],
  ['./scripts/deploy.sh production', 'cat ./scripts/deploy.sh production'],
  ['python scripts/release.py --env prod', 'python scripts/report.py --env prod'],
  ['vercel --prod', 'vercel'],
  ['vercel env rm KEY production', 'vercel env ls production'],
  ['kubectl apply -f a.yaml -n production', 'kubectl get deploy -n production'],
  ['terraform apply -var env=production', 'terraform plan -var env=production'],
  ['RAILS_ENV=production bundle exec rake db:migrate', 'RAILS_ENV=test bundle exec rake db:migrate'],
  [
    'DATABASE_URL=$PROD_DATABASE_URL npx prisma migrate deploy',
    'DATABASE_URL=$TEST_DATABASE_URL npx prisma migrate deploy',
  ],
  ['cap production deploy', 'cap staging deploy'],
  ['helm upgrade web ./chart --kube-context prod', 'helm upgrade web ./chart --kube-context prod --dry-run'],
  [
    'ansible-playbook -i inventories/production site.yml',
    'ansible-playbook -i inventories/production site.yml --check',
  ],
  ['serverless deploy --stage prod', 'serverless info --stage prod'],
]

describe('a release to production', () => {
  it.each(pairs)('%s is one, and %s is not', (danger, harmless) => {
    expect(isRelease(danger)).toBe(true)
    expect(isRelease(harmless)).toBe(false)
  })

  it('is not one if production is only built, mentioned, or a branch', () => {
    for (const text of [
      'npm ci --production',
      'git checkout -b deploy-prod',
      'docker build --target production .',
      'echo "make deploy-prod"',
    ]) {
      expect(isRelease(text)).toBe(false)
    }
  })
})
