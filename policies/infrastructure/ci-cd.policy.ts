import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'ci-cd',
  severity: 'high',
  description:
    'Keeps jobs, runners, contexts, pipelines and their secrets from being deleted, disabled or unregistered',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['ci-cd'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'ci-cd', given),
  examples: [
    denies('java -jar jenkins-cli.jar -s http://ci.example.com/ delete-job shop'),
    denies('java -Xmx512m -jar /opt/jenkins-cli.jar -s http://ci.example.com/ -auth a:b delete-builds shop 1-9'),
    denies('jenkins-cli delete-credentials system::system::jenkins _ id'),
    denies('gitlab-runner unregister --all-runners'),
    denies('circleci context delete github shop live'),
    denies('circleci orb delete shop/orb'),
    denies('circleci runner resource-class delete shop/linux --force'),
    denies('drone repo rm shop/web'),
    denies('jx delete pipeline web'),
    denies('jf rt del "libs/old/*" --quiet'),
    asks('gitlab-runner stop'),
    asks('java -jar jenkins-cli.jar -s http://ci.example.com/ disable-job shop'),
    abstains('java -jar jenkins-cli.jar -s http://ci.example.com/ get-job delete-job'),
    abstains('java -jar jenkins-cli.jar -s http://ci.example.com/ list-jobs'),
    abstains('java -jar delete-job.jar'),
    abstains('gitlab-runner list'),
    abstains('gitlab-runner verify --name unregister'),
    abstains('circleci context list github delete'),
    abstains('circleci config validate'),
    abstains('circleci orb info shop/delete'),
    abstains('drone build ls shop/rm'),
    abstains('echo gitlab-runner unregister'),
    allowed('java -jar jenkins-cli.jar -s http://ci.example.com/ delete-job shop', 'jenkins-cli'),
    answered('java -jar jenkins-cli.jar -s http://ci.example.com/ delete-job shop', 'ask'),
  ],
})
