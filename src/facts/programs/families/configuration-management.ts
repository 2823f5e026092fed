import { liveBy, liveByVerbs, platformStage } from '../deeds/deeds.ts'
import { namesThisMachine } from '../words.ts'
import type { Family } from '../program.ts'
import { manager } from '../deeds/packages.ts'

/** Ansible runs a module on every host that a pattern names. */
const ansibleValued =
  'i inventory l limit u user m module-name a args f forks e extra-vars t tree vault-id vault-password-file ' +
  'private-key key-file tags skip-tags become-user become-method T M'

/** Programs that bring many machines into the state that files describe. */
export const configurationManagement: Family = {
  area: 'infrastructure-as-code',
  programs: {
    // Only some modules run their arguments as a command.
    ansible: {
      abbreviates: true,
      options:
        'a args m module-name i inventory u user f forks e extra-vars l limit become-user become-method c connection T timeout private-key key-file vault-id vault-password-file M module-path P poll B background t tree playbook-dir ssh-common-args ssh-extra-args sftp-extra-args scp-extra-args task-timeout',
      starts(line, starts) {
        const module = line.value('m', 'module-name')?.value ?? 'command'
        const text = line.value('a', 'args')
        const isHere = line.value('c', 'connection')?.value === 'local' || namesThisMachine(line.operands[0])
        if (text !== undefined && /^(?:ansible\.builtin\.)?(?:command|shell|raw|script)$/.test(module))
          starts.script(text, { ...(isHere ? {} : { elsewhere: true }), cwd: undefined })
      },
      does: {
        kind: 'change',
        object: 'hosts of',
        names: 'first',
        thing: 'machine',
        trial: '--check',
        says: {
          '* -a~state=absent|--args~state=absent': {
            kind: 'delete',
            object: 'what the module names, on hosts of',
            names: 'first',
            thing: 'machine',
          },
        },
        valued: ansibleValued,
        never: ['* -a~state=absent|--args~state=absent'],
        work: [
          '* -m=shell|-m=command|-m=raw|-m=script|-m=reboot|-m=win_shell',
          '* --module-name=shell|--module-name=command|--module-name=raw|--module-name=script|--module-name=reboot',
        ],
        trials: 'check C list-hosts',
      },
      looks: '--list-hosts|--version',
    },
    // A playbook changes what its inventory names, whatever it is called.
    'ansible-playbook': {
      abbreviates: true,
      options:
        'i=read inventory=read e extra-vars vault-password-file=key private-key=key l limit t tags +syntax-check +list-hosts +list-tasks +list-tags',
      effects(line, recorder) {
        const only = line.has('syntax-check', 'list-hosts', 'list-tasks', 'list-tags')
        for (const word of line.operands) recorder.touch(word, only ? 'read' : 'execute')
      },
      obeysFolder: true,
      codeOnStdin: 'language',
      does: [
        {
          kind: 'deploy',
          object: 'all hosts of the inventory',
          names: 'none',
          thing: 'machine',
          trial: '--check',
          valued: ansibleValued,
          work: ['* --limit=all', '* -l=all'],
          trials: 'check C syntax-check list-hosts list-tasks list-tags',
        },
        {
          area: 'stages',
          stage: { named: 'words', verb: 'deploy' },
          trials: 'C version list-hosts list-tasks list-tags',
        },
        liveByVerbs('publish', 'upload'),
      ],
      looks: '--list-hosts|--list-tasks|--list-tags|--syntax-check; -C|--check',
    },
    'ansible-galaxy': {
      does: [
        {
          kind: 'delete',
          object: 'role or collection',
          names: 'last',
          thing: 'package',
          work: ['collection|role remove|delete', 'role delete', 'remove', 'delete'],
        },
        {
          area: 'packages',
          ...manager(
            {
              installs: ['install', 'collection|role install'],
              publishes: ['collection publish', 'role import'],
            },
            { valued: 'r p s' },
          ),
        },
      ],
      looks: 'list|info|search; role list|info|search; collection list|verify',
    },
    salt: {
      does: {
        kind: 'change',
        object: 'machines',
        names: 'before',
        thing: 'machine',
        work: [
          '* cmd.run',
          '* state.highstate|state.apply',
          '* system.reboot|system.shutdown|system.poweroff',
          '* file.remove|pkg.purge|pkg.remove',
        ],
      },
    },
    'salt-key': {
      does: {
        kind: 'delete',
        object: 'the key of',
        thing: 'secret',
        names: '-d|--delete',
        says: {
          '-D|--delete-all': { kind: 'delete', object: 'the keys of all machines', names: 'none' },
        },
        never: ['--delete-all|-D'],
        work: ['--delete|-d'],
      },
    },
    knife: {
      does: [
        {
          says: {
            '* bulk delete': { kind: 'delete', object: 'all entries that match', names: 'none' },
          },
          byVerb: 'never',
          nouns: 'search status',
          never: ['node|client|role|environment|cookbook|data bulk delete', 'cookbook delete|bulk'],
        },
        liveBy(/^supermarket share\b/),
      ],
    },
    puppet: {
      does: {
        says: {
          'node deactivate': { kind: 'stop', object: 'machine' },
          node: { kind: 'delete', object: 'the records of' },
          'cert|ca revoke': { kind: 'revoke', object: 'certificate of', thing: 'secret' },
          'cert|ca clean': { kind: 'delete', object: 'certificate of', thing: 'secret' },
          resource: { kind: 'delete', object: 'resource of this machine', names: 'none' },
        },
        work: ['node purge|clean|deactivate', 'cert clean|revoke', 'resource * * ensure=absent', 'ca clean|revoke'],
      },
    },
    puppetserver: {
      does: {
        kind: 'delete',
        object: 'certificate of',
        thing: 'secret',
        names: '--certname',
        work: ['ca clean|revoke'],
      },
    },
    nixops: {
      does: [
        {
          kind: 'delete',
          object: 'the state of the deployment',
          names: 'none',
          says: {
            destroy: { kind: 'delete', object: 'all machines of the deployment', names: 'none' },
          },
          never: ['destroy', 'delete'],
        },
        platformStage,
      ],
    },
    morph: {
      does: [{ kind: 'deploy', object: 'what the project describes', names: 'none', work: ['deploy'] }, platformStage],
    },
    'ansible-console': { looks: '--list-hosts' },
    'ansible-inventory': { looks: '--list|--graph|--host !--output' },
    'ansible-doc': { looks: true },
    'ansible-config': { looks: 'dump|list|view|validate' },
    'ansible-lint': { looks: '!--fix|--write|--generate-ignore|--sarif-file' },
    'ansible-test': { wholeNames: true, looks: 'sanity' },
    molecule: { looks: 'list|matrix|status' },
  },
  examples: {
    'ansible web --list-hosts': '',
    'ansible web -m shell -a reboot': 'changes hosts of `web`; restarts `web`',
    'ansible-playbook site.yml --limit all': 'deploys all hosts of the inventory',
    'salt-key -D': 'deletes the keys of all machines, which programs may need, for good',
    'puppet node clean web-1': 'deletes the records of `web-1`',
    'knife node delete web-1': 'deletes node `web-1`, for good',
    'salt web cmd.run reboot': 'changes machines `web`',
    'nixops destroy': 'deletes all machines of the deployment, for good',
  },
}
