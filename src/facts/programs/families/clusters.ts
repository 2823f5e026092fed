import type { Family } from '../program.ts'

/** Programs around containers and clusters. */
export const clusters: Family = {
  programs: {
    'kubectx kubens': { looks: '[-c|--current] ..0' },
    k9s: { looks: 'version|info' },
    stern: { looks: '!--kubeconfig' },
    minikube: { looks: { options: 'p profile', lines: 'status|version|ip|logs; addons|image|node|profile list|ls' } },
    kustomize: {
      looks: `
    version
    build !-o|--output|--enable-helm|--enable-exec|--enable-alpha-plugins|--helm-command|--load-restrictor`,
    },
    kubeval: { looks: '1..' },
    kubeconform: { looks: { oneDash: true, lines: '!--cache' } },
    'kube-score': { looks: 'score|list|version' },
    'kube-linter': { looks: 'lint|version !--config; checks|templates list' },
    eksctl: { looks: 'get|version|info' },
    kops: {
      looks: `
    version
    get cluster|clusters|ig|instancegroup|instancegroups|instances !-o|--output
    validate cluster`,
    },
    velero: {
      looks: {
        options: 'n namespace kubeconfig kubecontext',
        lines: `
      backup|restore|schedule|backup-location|snapshot-location|plugin get|describe|logs
      get *
      version`,
      },
    },
    linkerd: {
      looks: { options: 'n namespace context kubeconfig', lines: 'check|version; viz stat|top|edges|routes|check' },
    },
    kind: { looks: 'get clusters|nodes; version' },
    k3d: { looks: 'cluster|node|registry list|ls; version' },
    skopeo: { looks: 'inspect|list-tags' },
    crane: { looks: 'ls|manifest|digest|config|catalog|version' },
    argocd: {
      looks: {
        options: 'server auth-token',
        lines: 'app|proj|cluster|repo|account list|get|history|diff|manifests|logs; version',
      },
    },
    flux: { looks: { options: 'n namespace context', lines: 'get|logs|events|tree|stats|version|check|trace|diff' } },
    istioctl: {
      looks: { options: 'n namespace context', lines: 'version|proxy-status|ps|analyze|validate; proxy-config|pc *' },
    },
    crictl: { looks: 'ps|pods|images|inspect|inspecti|inspectp|logs|stats|statsp|info|version' },
    ctr: {
      looks: {
        options: 'n namespace a address',
        lines: 'containers|c|images|i|tasks|t|namespaces|ns|snapshots ls|list|info; version',
      },
    },
  },
}
