import type { Family } from '../program.ts'

/** Infrastructure as code, and the clients of hosts and clouds. */
export const infrastructure: Family = {
  programs: {
    tflint: { looks: '!--fix|--init' },
    tfsec: { looks: '!-O|--out|-o' },

    'cfn-lint': { looks: '!--update-specs|-u|-o' },

    'ansible-console': { looks: '--list-hosts' },

    'ansible-inventory': { looks: '--list|--graph|--host !--output' },
    'ansible-doc': { looks: true },
    'ansible-config': { looks: 'dump|list|view|validate' },
    'ansible-lint': { looks: '!--fix|--write|--generate-ignore|--sarif-file' },
    'ansible-test': { looks: 'sanity' },
    molecule: { looks: 'list|matrix|status' },

    prometheus: { looks: '--version|--help|--help-long|--help-man|-h []' },
  },
}
