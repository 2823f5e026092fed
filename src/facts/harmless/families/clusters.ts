import type { Looks } from '../look.ts'

/** Programs around containers and clusters. */
export const clusters: Looks = {
  'kubectx kubens': '[-c|--current] ..0',
  k9s: 'version|info',
  stern: '!--kubeconfig',
  minikube: { options: 'p profile', lines: 'status|version|ip|logs; addons|image|node|profile list|ls' },
  kustomize: `
    version
    build !-o|--output|--enable-helm|--enable-exec|--enable-alpha-plugins|--helm-command|--load-restrictor`,
  kubeval: '1..',
  kubeconform: { oneDash: true, lines: '!--cache' },
  'kube-score': 'score|list|version',
  'kube-linter': 'lint|version !--config; checks|templates list',
  eksctl: 'get|version|info',
  kops: `
    version
    get cluster|clusters|ig|instancegroup|instancegroups|instances !-o|--output
    validate cluster`,
  velero: {
    options: 'n namespace kubeconfig kubecontext',
    lines: `
      backup|restore|schedule|backup-location|snapshot-location|plugin get|describe|logs
      get *
      version`,
  },
  linkerd: { options: 'n namespace context kubeconfig', lines: 'check|version; viz stat|top|edges|routes|check' },
  kind: 'get clusters|nodes; version',
  k3d: 'cluster|node|registry list|ls; version',
  skopeo: 'inspect|list-tags',
  crane: 'ls|manifest|digest|config|catalog|version',
  argocd: {
    options: 'server auth-token',
    lines: 'app|proj|cluster|repo|account list|get|history|diff|manifests|logs; version',
  },
  flux: { options: 'n namespace context', lines: 'get|logs|events|tree|stats|version|check|trace|diff' },
  istioctl: { options: 'n namespace context', lines: 'version|proxy-status|ps|analyze|validate; proxy-config|pc *' },
  crictl: 'ps|pods|images|inspect|inspecti|inspectp|logs|stats|statsp|info|version',
  ctr: {
    options: 'n namespace a address',
    lines: 'containers|c|images|i|tasks|t|namespaces|ns|snapshots ls|list|info; version',
  },
}
