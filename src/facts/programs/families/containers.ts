import { dockerLike, imagesObeyed } from './docker.ts'
import { containerOf, sharedHome } from '../mounts.ts'
import type { Family } from '../program.ts'
import { sshOption, type Row } from '../row.ts'
import { type Deeds, imageBuilder, imageCopier, pushes } from '../deeds/deeds.ts'

/** Behind a name: the command that starts in a container or machine of that name. */
export const inside: Row = {
  options: 'env cwd user=user group mode d working-directory workdir shell uid=user E setenv M machine',
  wholeNames: true,
  starts: { own: 1, elsewhere: true },
}

const onlyExec: Row = { subcommands: { exec: inside } }

export const execInContainer: Row = {
  subcommands: { exec: { ...inside, starts: { own: 1, elsewhere: true, container: containerOf } } },
}

const imageDeletion: Deeds = { kind: 'delete', object: 'image', thing: 'package', never: ['delete'] }

const cranePushes = pushes({ 'copy|cp|push': 'last', tag: 'tagged' })

/** Containers, images in registries, and the commands started in containers. Virtual machines have a family of their own. */
export const containers: Family = {
  area: 'containers',
  programs: {
    ...dockerLike,
    buildah: {
      obeys: imagesObeyed,
      subcommands: { unshare: { starts: {} } },
      does: [
        {
          object: 'all containers',
          thing: 'container',
          kind: 'delete',
          names: 'none',
          says: {
            'rmi|prune': { kind: 'delete', object: 'images', thing: 'package', names: 'none' },
          },
          work: ['rm --all|-a', 'rmi --all|-a|--force|-f|--prune|-p', 'prune'],
        },
        imageBuilder,
      ],
    },
    crictl: {
      ...execInContainer,
      does: {
        kind: 'stop',
        object: 'container',
        thing: 'container',
        says: {
          rmi: { kind: 'delete', object: 'images', thing: 'package', names: 'none' },
          'rm|rmp': { kind: 'delete', object: 'containers', names: 'none' },
        },
        work: ['rm --all|-a|--force|-f', 'rmp --all|-a|--force|-f', 'rmi --all|-a|--prune|-q', 'stop', 'stopp'],
      },
      looks: 'ps|pods|images|inspect|inspecti|inspectp|logs|stats|statsp|info|version',
    },
    img: { does: imageBuilder },
    skopeo: { does: [imageDeletion, pushes({ 'copy|sync': 'last' })], looks: 'inspect|list-tags' },
    crane: { does: [imageDeletion, cranePushes], looks: 'ls|manifest|digest|config|catalog|version' },
    gcrane: { does: cranePushes },
    'registry-cli': { does: imageDeletion },
    regctl: {
      does: [
        {
          says: {
            '* delete|rm': { kind: 'delete', object: 'image', thing: 'package', names: 'last' },
          },
          never: ['tag delete|rm', 'manifest delete|rm', 'image delete|rm', 'blob delete', 'index delete'],
        },
        imageCopier,
      ],
    },
    oras: {
      does: [
        {
          says: {
            '* delete|rm': { kind: 'delete', object: 'image', thing: 'package', names: 'last' },
          },
          never: ['manifest delete', 'blob delete'],
        },
        pushes({ 'push|attach': 'addresses', 'copy|cp': 'last' }),
      ],
    },
    imgpkg: { does: pushes({ push: 'addresses', copy: 'last' }) },
    'cog bentoml': { does: pushes({ push: 'addresses' }) },
    pack: { does: pushes({ 'build --publish': 'first' }) },
    ko: { does: pushes({ 'build|publish|apply|resolve !--local|-L': '$KO_DOCKER_REPO' }) },
    harbor: { does: { byVerb: 'never' } },

    ctr: {
      does: {
        says: {
          tasks: { kind: 'stop', object: 'container', thing: 'container' },
          'images|image|i': { kind: 'delete', object: 'image', thing: 'package' },
          'containers|c|container': { kind: 'delete', object: 'container', thing: 'container' },
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
          stop: { kind: 'stop', object: 'container', thing: 'container' },
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
        thing: 'container',
        names: 'none',
        says: {
          rmi: { kind: 'delete', object: 'images', thing: 'package', names: 'none' },
        },
        work: ['rm --all|-a|--force|-f', 'rmi --all|-a|--force|-f'],
      },
    },
    distrobox: {
      subcommands: { enter: { starts: { dashes: true, elsewhere: true, view: sharedHome } } },
      does: { kind: 'delete', object: 'container', thing: 'container', work: ['rm'] },
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
    "docker inspect -f '{{json .Config.Env}}' web": 'shows the variables of `web`',
    "docker inspect web | jq '.[0].Config.Env'": 'shows the variables of `web`',
    'docker rm -f $(docker ps -aq)': 'deletes containers',
    'docker rm -f $ID': 'deletes a container',
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
    'docker run --privileged -it alpine sh': 'grants rights over its machine to container `alpine`',
    'docker compose kill': 'stops containers of the project',
    'docker-compose down --volumes': 'deletes the volumes of the project, with their data, for good',
    'podman kube play https://a.example/pod.yaml': 'runs what is at an address',
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

/** Virtual machines, and the Linux of Windows. */
export const virtualMachines: Family = {
  area: 'containers',
  programs: {
    virsh: {
      does: {
        says: {
          undefine: { kind: 'delete', object: 'virtual machine' },
          'vol-*': { kind: 'delete', object: 'volume', names: 'first' },
          'pool-delete|pool-undefine': { kind: 'delete', object: 'storage pool' },
          'pool-destroy': { kind: 'stop', object: 'storage pool' },
          'net-destroy': { kind: 'stop', object: 'network' },
          'net-undefine': { kind: 'delete', object: 'network' },
          'snapshot-delete|checkpoint-delete': { kind: 'delete', object: 'snapshot', names: 'last' },
          'secret-undefine': { kind: 'delete', object: 'secret' },
          'managedsave-remove': { kind: 'delete', object: 'the saved state of', thing: 'data' },
          reset: { kind: 'restart', object: 'virtual machine' },
          destroy: { kind: 'stop', object: 'virtual machine' },
        },
        valued: 'c',
        never: [
          'undefine',
          'vol-delete',
          'vol-wipe',
          'pool-delete',
          'net-undefine',
          'snapshot-delete',
          'checkpoint-delete',
          'secret-undefine',
        ],
        work: ['destroy', 'pool-destroy', 'net-destroy', 'pool-undefine', 'reset', 'managedsave-remove'],
      },
    },
    vboxmanage: {
      does: {
        says: {
          closemedium: { kind: 'delete', object: 'disk', names: 'last' },
          snapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          'hostonlyif|natnetwork': { kind: 'delete', object: 'network', names: 'last' },
          controlvm: { kind: 'stop', object: 'virtual machine', names: 'none' },
          unregistervm: { kind: 'delete', object: 'virtual machine' },
        },
        never: [
          'unregistervm --delete',
          'closemedium --delete',
          'snapshot * delete',
          'hostonlyif remove',
          'natnetwork remove',
        ],
        work: ['controlvm * poweroff|reset', 'unregistervm'],
      },
    },
    prlctl: {
      does: {
        kind: 'delete',
        object: 'virtual machine',
        names: 'first',
        says: {
          'snapshot-delete': { kind: 'delete', object: 'snapshot of', names: 'first' },
        },
        never: ['delete', 'snapshot-delete', 'unregister'],
      },
    },
    qm: {
      does: {
        says: {
          destroy: { kind: 'delete', object: 'virtual machine, with its disks', thing: 'data', names: 'first' },
          delsnapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          rollback: { kind: 'rollback', object: 'virtual machine', names: 'first' },
          stop: { kind: 'stop', object: 'virtual machine' },
          reset: { kind: 'restart', object: 'virtual machine' },
          'template|unlink': { kind: 'change', object: 'virtual machine', names: 'first' },
        },
        never: ['destroy', 'delsnapshot', 'template'],
        work: ['stop', 'reset', 'rollback', 'unlink'],
      },
    },
    colima: {
      subcommands: { ssh: { starts: { dashes: true, elsewhere: true } } },
      does: {
        says: {
          delete: { kind: 'delete', object: 'the virtual machine of containers, with its data', names: 'none' },
          prune: { kind: 'delete', object: 'the cache of images', names: 'none' },
        },
        work: ['delete', 'prune'],
      },
    },
    // The shell of the distribution gets the words.
    wsl: {
      options: 'd distribution u user cd shell-type system',
      wholeNames: true,
      starts: { joined: 'e exec' },
      does: {
        kind: 'delete',
        object: 'Linux distribution, with its files',
        names: '--unregister',
        thing: 'data',
        never: ['--unregister'],
      },
    },
    'vim-cmd': {
      does: {
        kind: 'delete',
        object: 'virtual machine',
        says: {
          'vmsvc/power.*': { kind: 'stop', object: 'virtual machine' },
          'vmsvc/snapshot.*': { kind: 'delete', object: 'snapshots of virtual machine', names: 'first' },
        },
        never: ['vmsvc/destroy|vmsvc/unregister', 'vmsvc/snapshot.remove*'],
        work: ['vmsvc/power.off|vmsvc/power.reset|vmsvc/power.shutdown'],
      },
    },
    govc: {
      does: {
        kind: 'delete',
        names: 'last',
        says: {
          'vm.power': { kind: 'stop', object: 'virtual machine', names: 'last' },
          'host.maintenance.enter|host.shutdown': { kind: 'stop', object: 'host', names: 'last' },
          'datastore.rm': { kind: 'delete', object: 'file of a datastore', thing: 'data', names: 'last' },
        },
        oneDash: true,
        never: [
          'vm.destroy|datastore.rm|pool.destroy|folder.destroy|object.destroy|snapshot.remove|cluster.rule.remove|disk.rm|library.rm|host.remove',
        ],
        work: ['vm.power --off', 'host.maintenance.enter', 'host.shutdown'],
      },
    },
    multipass: {
      ...onlyExec,
      does: {
        says: {
          purge: { kind: 'delete', object: 'all deleted virtual machines', names: 'none' },
          delete: { kind: 'delete', object: 'virtual machine' },
        },
        never: ['delete --purge|-p', 'purge'],
        work: ['delete'],
      },
    },
    vagrant: {
      typed: /^ ssh(?!.* (?:-c|--command|--)(?:[ =]|$))/,
      obeys: { when: /^(?:up|provision|reload)\b/, files: /^Vagrantfile$/ },
      subcommands: { ssh: sshOption('p', 'c command') },
      does: {
        area: 'infrastructure-as-code',
        says: {
          destroy: { kind: 'delete', object: 'virtual machine' },
          'box remove': { kind: 'delete', object: 'box' },
          'box prune': { kind: 'delete', object: 'old boxes', names: 'none' },
          'snapshot restore': { kind: 'rollback', object: 'virtual machine', names: 'none' },
          snapshot: { kind: 'delete', object: 'snapshot', names: 'last' },
          plugin: { kind: 'delete', object: 'plugins', names: 'none' },
          'global-status': { kind: 'delete', object: 'stale entries', names: 'none' },
        },
        work: [
          'destroy',
          'box remove|prune',
          'snapshot delete',
          'snapshot restore',
          'plugin uninstall|expunge',
          'global-status --prune',
        ],
      },
      looks: 'status|global-status|port|ssh-config|version|validate; box|plugin|snapshot list',
    },
    limactl: {
      subcommands: { shell: inside },
      does: {
        says: {
          'delete|remove|rm': { kind: 'delete', object: 'virtual machine' },
          'factory-reset': { kind: 'overwrite', object: 'virtual machine' },
          prune: { kind: 'delete', object: 'the cache of images', names: 'none' },
          snapshot: { kind: 'delete', object: 'snapshot of', names: 'first' },
        },
        never: ['delete|remove|rm', 'disk delete'],
        work: ['factory-reset', 'prune', 'snapshot delete'],
      },
    },
    tart: { does: { kind: 'delete', object: 'virtual machine', never: ['delete'] } },
  },
  examples: {
    'virsh undefine db --remove-all-storage': 'deletes virtual machine `db`, for good',
    'virsh destroy db': 'stops virtual machine `db`',
    'qm destroy 100': 'deletes virtual machine `100`, with its disks, for good',
    'multipass delete dev': 'deletes virtual machine `dev`',
    'wsl --unregister Ubuntu': 'deletes Linux distribution `Ubuntu`, with its files, for good',
    'vboxmanage controlvm web poweroff': 'stops a virtual machine',
    'limactl factory-reset dev': 'overwrites virtual machine `dev`',
    'govc vm.destroy web': 'deletes virtual machine `web`, for good',
    'colima delete': 'deletes the virtual machine of containers, with its data',
    'prlctl delete web': 'deletes virtual machine `web`, for good',
    'virsh list': '',
  },
}
