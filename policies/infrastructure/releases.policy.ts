import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'releases',
  severity: 'high',
  description: 'Keeps releases, applications and service meshes from being uninstalled or rolled back',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['releases'] },
  params,
  decide: ({ impacts, params: given }) => judge(impacts, 'releases', given),
  examples: [
    denies('helm uninstall web -n shop'),
    denies('helm --kube-context live delete web'),
    asks('helm rollback web 3'),
    denies('argocd app delete shop --cascade'),
    denies('flux delete kustomization apps'),
    denies('istioctl uninstall --purge -y'),
    denies('nomad job stop -purge web'),
    denies('consul kv delete -recurse app/'),
    denies('cf delete web -f'),
    denies('dokku apps:destroy web'),
    abstains('helm list -A'),
    abstains('helm uninstall web --dry-run'),
    abstains('helm status uninstall'),
    abstains('argocd app get delete'),
    abstains('flux get kustomizations'),
    abstains('nomad job status stop'),
    abstains('consul kv get app/delete'),
    abstains('helm upgrade --install web ./chart'),
    abstains('git commit -m "helm uninstall web"'),
    allowed('helm uninstall web -n shop', 'helm'),
    answered('helm uninstall web -n shop', 'ask'),
  ],
})
