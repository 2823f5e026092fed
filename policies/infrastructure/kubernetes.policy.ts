import { abstains, asks, definePolicy, denies, isLike } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { params } from './cli/judge.ts'
import { judge } from './impacts.ts'

export default definePolicy({
  id: 'kubernetes',
  severity: 'critical',
  description: 'Asks the person before objects, nodes or whole clusters are deleted, drained or scaled to zero',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { impacts: ['kubernetes'] },
  params: {
    ...params,
    allowedContexts: {
      type: 'strings',
      default: [],
      description: 'contexts that may be changed if the command names one, `*` is any text: `kind-*`, `minikube`',
    },
  },
  decide: ({ impacts, params: given }) =>
    judge(impacts, 'kubernetes', given, ({ targets }) => {
      const context = (targets['context'] ?? targets['kube-context'] ?? [])[0]
      return context !== undefined && given.allowedContexts.some((one) => isLike(context, one))
    }),
  examples: [
    asks('kubectl delete namespace staging'),
    denies('kubectl -n web delete deployment,service --all'),
    denies('kubectl delete pvc data-db-0'),
    asks('kubectl --kubeconfig ./admin.yaml drain node-3 --ignore-daemonsets'),
    asks('kubectl scale deployment/api --replicas=0'),
    asks('kubectl scale deployment/api --replicas 0'),
    asks('kubectl replace --force -f app.yaml'),
    asks('kustomize build overlays/x | kubectl delete -f -'),
    asks('oc delete project shop'),
    asks('kind delete cluster'),
    denies('eksctl delete cluster --name web'),
    denies('talosctl reset'),
    abstains('kubectl get pods -n delete'),
    abstains('kubectl -n delete get pods'),
    abstains('kubectl delete pod web-1 --dry-run=client'),
    abstains('kubectl delete --help'),
    abstains('kubectl describe pod delete'),
    abstains('kubectl scale deployment/api --replicas=3'),
    abstains('kubectl exec web-1 -- ls delete'),
    abstains('kubectl rollout status deployment/api'),
    abstains('echo "kubectl delete namespace staging"'),
    abstains('eksctl get cluster --name delete'),
    abstains('a context that is allowed', 'kubectl --context kind-test delete pod web-1', {
      params: { allowedContexts: ['kind-*'] },
    }),
    asks('another context', 'kubectl --context live delete pod web-1', { params: { allowedContexts: ['kind-*'] } }),
    denies('refused, where the rules file wants that', 'kubectl delete pod web-1', { params: { answer: 'deny' } }),
    allowed('kubectl -n web delete deployment,service --all', 'kubectl'),
    answered('kubectl -n web delete deployment,service --all', 'ask'),
  ],
})
