import { dockerLike, imagesObeyed } from './docker.ts'
import { containerOf, sharedHome } from '../mounts.ts'
import type { Row } from '../row.ts'
import type { Family } from '../program.ts'
import type { Deeds } from '../deeds/deeds.ts'

/** Behind a name: the command that starts in a container or machine of that name. */
export const inside: Row = {
  options: 'env cwd user=user group mode d working-directory workdir shell uid=user E setenv M machine',
  wholeNames: true,
  starts: { own: 1, elsewhere: true },
}

export const onlyExec: Row = { subcommands: { exec: inside } }

export const execInContainer: Row = {
  subcommands: { exec: { ...inside, starts: { own: 1, elsewhere: true, container: containerOf } } },
}

const imageDeletion: Deeds = { kind: 'delete', object: 'image', thing: 'package', never: ['delete'] }

/** Containers, images in registries, and the commands started in containers. Virtual machines have a family of their own. */
export const containers: Family = {
  area: 'containers',
  programs: {
    ...dockerLike,
    buildah: {
      obeys: imagesObeyed,
      subcommands: { unshare: { starts: {} } },
      does: {
        object: 'all containers',
        kind: 'delete',
        names: 'none',
        says: {
          'rmi|prune': { kind: 'delete', object: 'images', names: 'none' },
        },
        work: ['rm --all|-a', 'rmi --all|-a|--force|-f|--prune|-p', 'prune'],
      },
    },
    crictl: {
      ...execInContainer,
      does: {
        kind: 'stop',
        object: 'container',
        says: {
          rmi: { kind: 'delete', object: 'images', names: 'none' },
          'rm|rmp': { kind: 'delete', object: 'containers', names: 'none' },
        },
        work: ['rm --all|-a|--force|-f', 'rmp --all|-a|--force|-f', 'rmi --all|-a|--prune|-q', 'stop', 'stopp'],
      },
      looks: 'ps|pods|images|inspect|inspecti|inspectp|logs|stats|statsp|info|version',
    },
    skopeo: { does: imageDeletion, looks: 'inspect|list-tags' },
    crane: { does: imageDeletion, looks: 'ls|manifest|digest|config|catalog|version' },
    'registry-cli': { does: imageDeletion },
    regctl: {
      does: {
        says: {
          '* delete|rm': { kind: 'delete', object: 'image', thing: 'package', names: 'last' },
        },
        never: ['tag delete|rm', 'manifest delete|rm', 'image delete|rm', 'blob delete', 'index delete'],
      },
    },
    oras: {
      does: {
        says: {
          '* delete|rm': { kind: 'delete', object: 'image', thing: 'package', names: 'last' },
        },
        never: ['manifest delete', 'blob delete'],
      },
    },
    harbor: { does: { byVerb: 'never' } },

    ctr: {
      does: {
        says: {
          tasks: { kind: 'stop', object: 'container' },
          'images|image|i': { kind: 'delete', object: 'image' },
          'containers|c|container': { kind: 'delete', object: 'container' },
          'namespaces|ns': { kind: 'delete', object: 'namespace' },
          content: { kind: 'delete', object: 'content' },
        },
        valued: 'n a',
        work: [
          'images|image|i rm|remove|delete|prune',
          'containers|c|container rm|delete|remove',
          'namespaces|ns rm|remove',
          'content rm|prune',
          'snapshots rm',
          'tasks kill|rm',
        ],
      },
      looks: {
        options: 'n namespace a address',
        lines: 'containers|c|images|i|tasks|t|namespaces|ns|snapshots ls|list|info; version',
      },
    },
    'lxc incus': {
      ...onlyExec,
      does: {
        says: {
          delete: { object: 'container, with its disk', thing: 'data' },
          'storage volume': { object: 'volume', names: 'last' },
          'storage delete': { object: 'storage pool', thing: 'data' },
          cluster: { object: 'member of the cluster' },
          snapshot: { object: 'snapshot', names: 'last' },
        },
        never: [
          'delete',
          'storage delete',
          'storage volume delete',
          'snapshot delete',
          'network delete',
          'profile delete',
          'image delete',
          'project delete',
          'cluster remove',
        ],
      },
    },
    pct: {
      ...onlyExec,
      does: {
        says: {
          destroy: { kind: 'delete', object: 'container, with its disks', thing: 'data', names: 'first' },
          delsnapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          rollback: { kind: 'rollback', object: 'container', names: 'first' },
          stop: { kind: 'stop', object: 'container' },
        },
        never: ['destroy', 'delsnapshot'],
        work: ['stop', 'rollback'],
      },
    },

    'lxc-destroy': {
      does: { kind: 'delete', object: 'container, with its disk', names: '--name|-n', thing: 'data', never: [''] },
    },
    'lxc-attach': {
      options: 'n name s e f rcfile P lxcpath a arch l logpriority o logfile v set-var u uid g gid',
      starts: { elsewhere: true },
    },
    toolbox: {
      subcommands: { run: { options: 'c container d distro r release', starts: {} } },
      does: {
        kind: 'delete',
        object: 'containers',
        names: 'none',
        says: {
          rmi: { kind: 'delete', object: 'images', names: 'none' },
        },
        work: ['rm --all|-a|--force|-f', 'rmi --all|-a|--force|-f'],
      },
    },
    distrobox: {
      subcommands: { enter: { starts: { dashes: true, elsewhere: true, view: sharedHome } } },
      does: { kind: 'delete', object: 'container', work: ['rm'] },
    },
    jexec: { options: 'u U d', starts: { own: 1, elsewhere: true } },
    devcontainer: {
      subcommands: {
        exec: {
          options: 'workspace-folder container-id config remote-env id-label',
          starts: { elsewhere: true, container: containerOf },
        },
      },
    },
    act: { obeys: { looks: 'l list n dryrun', files: /\/\.github\/workflows\/[^/]+\.ya?ml$/ } },
  },
  examples: {
    "docker inspect -f '{{json .Config.Env}}' web": 'shows the variables of a container',
    "docker inspect web | jq '.[0].Config.Env'": 'shows the variables of a container',
    'docker inspect web': '',
    'docker volume rm shop_pgdata': 'deletes volume `shop_pgdata`, with its data, for good',
    'docker volume prune -f': 'deletes unused volumes, with their data, for good',
    'docker compose -f dev.yaml down -v': 'deletes the volumes of the project, with their data, for good',
    'docker compose down': '',
    'docker system prune -af --volumes': 'deletes unused containers, images and volumes, with their data, for good',
    'docker system prune -af': 'deletes unused containers, networks and images',
    'docker rm -f web': 'deletes container `web`',
    'docker rmi --force shop:1': 'deletes image `shop:1`',
    'docker stack rm shop': 'deletes stack `shop`, for good',
    'docker run --privileged -it alpine sh': 'grants rights to container `alpine`',
    'docker compose kill': 'stops containers of the project',
    'docker-compose down --volumes': 'deletes the volumes of the project, with their data, for good',
    'podman kube play https://a.example/pod.yaml': 'runs a manifest',
    'docker ps -a': '',
    'skopeo delete docker://registry.example.com/shop:1':
      'deletes image `docker://registry.example.com/shop:1`, for good',
    'lxc delete web': 'deletes container `web`, with its disk, for good',
    'pct stop 101': 'stops container `101`',
    'crictl rmi --prune': 'deletes images',
    'ctr images rm shop:1': 'deletes image `shop:1`',
    'regctl tag delete registry.example.com/shop:1': 'deletes image `registry.example.com/shop:1`, for good',
  },
}
