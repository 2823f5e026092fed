import { liveByVerbs, appliesFetched } from '../deeds/deeds.ts'
import { platformStage } from '../deeds/stages.ts'
import { manager } from '../deeds/packages.ts'
import { setup, type Row } from '../row.ts'
import type { Family } from '../program.ts'

const helmOptions =
  'n namespace kubeconfig kube-context kube-apiserver kube-as-group kube-as-user kube-ca-file kube-tls-server-name kube-token registry-config repository-cache repository-config burst-limit qps f values filter set set-string set-file set-json set-literal version repo username password ca-file cert-file key-file keyring timeout post-renderer post-renderer-args description name-template history-max m max offset o output output-dir l labels selector s show-only kube-version api-versions revision d destination untardir app-version key passphrase-file time-format cascade dry-run?'

const charts: Row = {
  options: 'f=read values=read set set-file n namespace kubeconfig=read version repo kube-context',
  operands: 'none',
}

/** Helm, and what installs releases by it. */
export const helm: Family = {
  area: 'releases',
  programs: {
    helm: {
      ...charts,
      output: setup(/^completion \w+$/),
      subcommands: {
        'install, upgrade, template, lint, uninstall, delete, del, un, rollback, list, ls, status, history, test, show, search, pull, package, push, get, repo, plugin, registry, dependency, dep, env, create, verify, version, diff, secrets':
          { options: helmOptions, wholeNames: true },
      },
      does: [
        {
          says: {
            'uninstall|delete|del|un': { kind: 'delete', object: 'release', trial: '--dry-run' },
            plugin: { kind: 'delete', object: 'plugin', thing: 'machine' },
            rollback: { kind: 'rollback', object: 'release', names: 'first' },
            upgrade: { kind: 'deploy', object: 'release', names: 'first' },
            repo: { kind: 'delete', object: 'chart repository', thing: 'package' },
            registry: { kind: 'stop', object: 'the sign-in to a registry', names: 'none' },
          },
          also: appliesFetched([
            'install|upgrade http:*|https:*|oci:*',
            'install|upgrade * http:*|https:*|oci:*',
            'install|upgrade -f~://|--values~://|--repo~://',
          ]),
          never: ['uninstall|delete|del|un', 'plugin uninstall|remove'],
          work: [
            'rollback',
            'upgrade --force',
            'upgrade --reset-values',
            'upgrade --cleanup-on-fail',
            'repo remove|rm',
            'registry logout',
          ],
        },
        { area: 'packages', ...manager({ sources: ['repo add', 'plugin install'], publishes: ['push|cm-push'] }) },
        platformStage,
        liveByVerbs('publish'),
      ],
      looks: {
        options:
          'o output n namespace kube-context kubeconfig kube-apiserver kube-token kube-as-user registry-config repository-cache repository-config burst-limit qps +debug +kube-insecure-skip-tls-verify',
        never: '--post-renderer|--output-dir',
        lines: `
    list|ls|status|history|hist|get|show|inspect|search|env|version|completion|lint|verify|template|help
    repo|plugin|dependency|dep|dependencies list|ls
    install|upgrade|uninstall|delete|un|del|rollback --dry-run`,
      },
    },
    helmfile: {
      ...charts,
      does: [
        {
          kind: 'deploy',
          object: 'all releases of the file',
          names: 'none',
          says: {
            'destroy|delete': { kind: 'delete', object: 'all releases of the file', names: 'none' },
          },
          valued: 'e l',
          never: ['destroy', 'delete'],
          work: ['apply', 'sync'],
        },
        platformStage,
        liveByVerbs('publish', 'upload'),
      ],
    },
    helmsman: {
      does: {
        kind: 'deploy',
        object: 'all releases of the file',
        names: 'none',
        says: {
          '--destroy': { kind: 'delete', object: 'all releases of the file', names: 'none' },
        },
        never: ['--destroy'],
        work: ['--apply'],
        oneDash: true,
        valued: 'f',
      },
    },
  },
  examples: {
    'helm uninstall web -n shop': 'deletes release `web`, for good',
    'helm uninstall web --dry-run': '',
    'helm --kube-context live delete web': 'deletes release `web`, for good, in production',
    'helm rollback web 3': 'rolls back release `web`',
    'helm install web https://a.example/web-1.0.tgz': 'runs a manifest',
    'helmfile destroy': 'deletes all releases of the file, for good',
  },
}
