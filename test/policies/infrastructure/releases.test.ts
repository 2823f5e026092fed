import { describe, expect, it } from 'vitest'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { judgeProduction } from '../../../policies/infrastructure/production.policy.ts'
import { factsOf } from '../../support/shell-facts.ts'

const effectOf = (command: string, targets = ['production', 'prod', 'live']) => {
  const shell = factsOf(command)
  const answer = judgeProduction(impactsIn(shell), { allowed: [], answer: 'rated', targets })
  return answer !== undefined && 'effect' in answer ? answer.effect : undefined
}
const isRelease = (command: string) => effectOf(command, ['production', 'prod']) === 'deny'

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

it.each([
  ['gh -R a/b release create v1.0.0', 'gh release create v1.0.0'],
  ['gh --verbose release create v1.0.0 --notes x', 'gh release create v1.0.0'],
  ['glab -R a/b release create v1', 'glab release create v1'],
  ['aws --region eu-west-1 ecs update-service --service s --force-new-deployment', 'aws ecs update-service'],
  ['aws lambda update-function-code --function-name orders --zip-file f.zip', 'aws lambda update-function-code'],
  ['heroku -a web container:release web', 'heroku container:release'],
  ['gh -R a/b release list', undefined],
  ['gh -R a/b pr create --draft', undefined],
])('a version goes live by its subcommand, whatever options are in front of it: %s', (command, words) => {
  const live = impactsIn(factsOf(command)).filter(({ area }) => area === 'going-live')
  expect(live.map((one) => one.words)).toEqual(words === undefined ? [] : [words])
})

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

const isChange = (command: string) => effectOf(command) !== undefined

/** What names production otherwise than by an option for environments, and the same words harmless. */
const otherwise: readonly (readonly [danger: string, harmless: string])[] = [
  ['gh workflow run publish-live.yaml', 'gh run list --workflow publish-live.yaml'],
  ['gcloud builds triggers run deploy-prod', 'gcloud builds triggers describe deploy-prod'],
  ['java -jar jenkins-cli.jar build deploy-prod', 'java -jar jenkins-cli.jar get-job deploy-prod'],
  ['kubectl config use-context prod-eu', 'kubectl config get-contexts prod-eu'],
  ['kubectx prod', 'kubectx kind-dev'],
  ['terraform workspace select prod', 'terraform workspace list'],
  ['gcloud functions deploy charge-production', 'gcloud functions logs read charge-production'],
  ['aws codepipeline start-pipeline-execution --name shop-prod', 'aws codepipeline get-pipeline --name shop-prod'],
  ['aws ecs update-service --cluster prod --service web', 'aws ecs describe-services --cluster prod --services web'],
  ['aws s3 sync dist s3://shop-prod --cache-control max-age=0', 'aws s3 sync s3://prod-logs ./logs'],
  ['gsutil -m cp -r dist gs://www-production/', 'gsutil cp gs://www-production/a .'],
  ['rsync -a dist/ deploy@prod.example.com:/srv/www/', 'rsync -a deploy@prod.example.com:/srv/www/ dist/'],
  ['scp a.jar root@prod03:/opt/', 'scp a.jar root@products:/opt/'],
  ['ssh prod "cd /srv && ./deploy.sh"', 'ssh prod "cat /srv/deploy.sh"'],
  ['ssh prod sudo systemctl restart nginx', 'ssh prod sudo systemctl status nginx'],
  ['ssh app@live.example.com "echo A=1 >> /srv/.env"', 'ssh app@live.example.com "cat /srv/x" > x'],
  ['ssh prod <<E\ngit pull\nE', 'ssh prod <<E\ngit log\nE'],
  ['tar cz dist | ssh prod "tar xz -C /srv/app"', 'ssh prod "tar cz /srv/app" | tar xz'],
  ['pm2 reload api-prod', 'pm2 logs api-prod'],
  ['kamal app boot --destination=prod', 'kamal app logs --destination=prod'],
  ['git push heroku main', 'git fetch heroku main'],
  ['git push live main', 'git push --dry-run live main'],
  ['git push origin main:refs/heads/production', 'git push origin fix/live-reload'],
  ['git push git@prod.example.com:app.git main', 'git push git@example.com:prod-tools.git main'],
  ['vercel --prod --token a web', 'vercel build --prod'],
  ['vercel env add KEY production', 'vercel env pull .env.local --environment=production'],
  ['psql -h prod-db -c "update a set b = 1 where c = 2"', 'psql -h prod-db -c "explain select * from a"'],
  ['psql $PROD_URL -f fix.sql', 'psql $TEST_URL -f fix.sql'],
  ['PGHOST=prod-db psql < fix.sql', 'PGHOST=test-db psql < fix.sql'],
  ['curl -X POST https://ci/job/deploy-prod/build', 'curl https://ci/job/deploy-prod/build'],
]

describe('production named by a task, a machine, a remote or a resource', () => {
  it.each(otherwise)('%s changes it, and %s does not', (danger, harmless) => {
    expect(isChange(danger)).toBe(true)
    expect(isChange(harmless)).toBe(false)
  })

  it('is not meant by packages, branches, images, migrations and files of such a name', () => {
    const passing = [
      'npm add live-server',
      'npx supabase migration new live_prices',
      'prisma migrate dev --name prod_fix',
      'docker run --rm -e NODE_ENV=production shop',
      'docker pull shop:prod',
      'RAILS_ENV=production bundle exec rails assets:precompile',
      'MIX_ENV=prod mix release',
      'rsync -avz --dry-run dist/ deploy@prod.example.com:/srv/',
      'gh pr create --base production --title a --body b',
      'gh pr checkout deploy-prod',
      'bundle exec rspec spec/prod_spec.rb',
      'sqlite3 data/live.db "insert into a values (1)"',
      'ping -c1 prod.example.com',
      'curl -X POST https://api.prod.example.com/v1/search -d 1',
      'mv deploy-prod.md docs/',
    ]
    expect(passing.filter(isChange)).toEqual([])
  })
})
