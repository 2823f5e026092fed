import type { EffectRecorder } from '../effects.ts'
import type { Line, Row } from '../row.ts'
import { containerOf } from './mounts.ts'
import { behindDashes } from '../words.ts'

/** Options that every command of kubectl takes, before it and behind it. */
const everywhere =
  'as as-group as-uid cache-dir certificate-authority client-certificate client-key cluster context kubeconfig=read kuberc=read log-flush-frequency log-file log-dir n namespace password profile profile-output=write request-timeout s server tls-server-name token user username v vmodule'

/** Options of the commands that show, make, change and delete objects; `-p` is another for nearly each of them. */
const ofObjects =
  'f=read filename=read k=read kustomize=read l selector field-selector o output template c container L label-columns sort-by subresource chunk-size field-manager grace-period timeout cascade? dry-run? resource-version replicas current-replicas for tail since since-time limit-bytes max-log-requests pod-running-timeout overrides override-type image image-pull-policy annotations labels env e serviceaccount limits requests port target-port protocol restart name type external-ip load-balancer-ip cluster-ip session-affinity generator from-file=none from-literal from-env-file=read append-hash? docker-server docker-username docker-password docker-email cert=read key=read tcp class rule default-backend annotation schedule hard scopes clusterrole role group verb resource resource-name non-resource-url aggregation-rule min-available max-unavailable value description preemption-policy audience duration min max cpu-percent cpu memory revision to-revision pod-selector skip-wait-for-delete-timeout retries address api-group api-version verbs categories target copy-to custom set-image prune-allowlist prune-whitelist local? patch-file=read exec-command exec-env exec-arg auth-provider auth-provider-arg'

const object: Row = { options: `${everywhere} ${ofObjects}`, wholeNames: true }

/** Commands with an option of their own under a letter that is another's. */
const patch: Row = { ...object, options: `${object.options} p patch` }
/** `-f` follows, and `-p` shows the container that was there before. */
const logs: Row = {
  options: `${everywhere} l selector c container since since-time tail limit-bytes max-log-requests pod-running-timeout`,
  wholeNames: true,
}
const copy: Row = { ...object, effects: recordCopy }
const create: Row = {
  ...object,
  effects: (line, recorder) => {
    for (const value of line.values('from-file')) {
      recorder.touch({ ...value, value: value.value.slice(value.value.indexOf('=') + 1) }, 'read')
    }
  },
}

/** Clients of Kubernetes and OpenShift. */
export const kubectl: Row = {
  options: `${everywhere} f filename k kustomize l selector o output c container`,
  wholeNames: true,
  operandsLast: true,
  operands: 'none',
  subcommands: {
    // Without `--`, the command follows the pod's name: the deprecated syntax.
    exec: {
      options: `${everywhere} c container f filename pod-running-timeout`,
      wholeNames: true,
      starts({ operands }, starts, { args }) {
        const words = behindDashes(args) ?? operands.slice(1)
        if (words.length > 0) starts.words(words, { elsewhere: true, container: {} })
      },
    },
    'run, debug': { ...object, starts: { dashes: true, elsewhere: true, container: containerOf, doesMore: true } },
    rsh: { starts: { own: 1, elsewhere: true, container: containerOf } },
    proxy: { options: `${everywhere} u=bind unix-socket=bind p port address w www=read P`, wholeNames: true },
    'get, describe, delete, apply, replace, diff, edit, label, annotate, scale, autoscale, rollout, wait, expose, set, drain, cordon, uncordon, taint, top, explain, events, auth, certificate, cluster-info, attach, port-forward, api-resources, api-versions, config, kustomize, version, options, completion, plugin, krew, convert, evict':
      object,
    'adm, policy, rollback, new-app, new-project, project, projects, process, extract, import-image, start-build, tag, status, whoami, argo, cnpg, minio, mayastor, rook-ceph':
      object,
    create,
    patch,
    logs,
    cp: copy,
  },
}

function recordCopy({ operands: [from, to] }: Line, recorder: EffectRecorder): void {
  if (from === undefined || to === undefined) return
  if (from.value.includes(':')) recorder.touch(to, 'into')
  else recorder.touch(from, 'read', { recursive: true })
}
