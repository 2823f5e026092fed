import type { Family } from '../program.ts'

/** Programs around containers and clusters. */
export const clusters: Family = {
  programs: {
    k9s: { looks: 'version|info' },
    stern: { looks: '!--kubeconfig' },

    kubeval: { looks: '1..' },
    kubeconform: { looks: { oneDash: true, lines: '!--cache' } },
    'kube-score': { looks: 'score|list|version' },
    'kube-linter': { looks: 'lint|version !--config; checks|templates list' },
  },
}
