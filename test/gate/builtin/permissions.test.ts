import { describe, expect, it } from 'vitest'
import { permitted, permittedCommand } from '../../support/permissions.ts'

describe('a permission rule for commands', () => {
  const deny = { deny: ['Bash(curl *)'] }

  it.each([
    'curl https://example.com',
    'cd src && curl -O x',
    'sudo /usr/bin/curl x',
    'timeout 5 curl x',
    'sh -c "curl $URL"',
    'echo "$(curl x)"',
    `python3 -c 'import os; os.system("curl x")'`,
    'X=1 curl x',
    'ssh host curl x',
  ])('refuses %j', async (command) => {
    expect(await permittedCommand(deny, command)).toBe('deny')
  })

  it.each(['echo curl', 'grep -r curl src', 'git commit -m "use curl x"', 'npm test'])('leaves %j', async (command) => {
    expect(await permittedCommand(deny, command)).toBe('abstain')
  })

  it.each(['$TOOL x', 'bash -c "$X"', 'sh < script', 'eval "$(cat x)"'])(
    'asks about %j, which may run it',
    async (command) => {
      expect(await permittedCommand(deny, command)).toBe('ask')
    },
  )

  it('names the command and the rule, and its index', async () => {
    const verdict = await permitted(deny, { name: 'Bash', command: 'cd src && curl -O x' })
    expect(verdict.reason).toBe(
      '`curl -O x` is refused by the permission rule `Bash(curl *)` (user:hooks.json#permissions.deny)',
    )
    expect(verdict.evaluations[0]).toMatchObject({ commands: [1] })
  })

  it('asks before what an `ask` list names, and refuses where `deny` names it too', async () => {
    expect(await permittedCommand({ ask: ['Bash(git push *)'] }, 'git push origin main')).toBe('ask')
    expect(await permittedCommand({ ask: ['Bash(git *)'], deny: ['Bash(git push *)'] }, 'git push')).toBe('deny')
    expect(await permittedCommand({ ask: ['Bash(git *)'], allow: ['Bash(git *)'] }, 'git status')).toBe('ask')
  })

  it('allows a call whose commands are all named', async () => {
    const allow = { allow: ['Bash(git status)', 'Bash(npm run *)', 'Bash(grep:*)'] }
    expect(await permittedCommand(allow, 'git status')).toBe('allow')
    expect(await permittedCommand(allow, 'npm run test 2>&1 | grep -i failed 2>/dev/null')).toBe('allow')
    expect(await permittedCommand(allow, 'cd src && npm run lint')).toBe('allow')
    expect(await permittedCommand(allow, 'git status && git push')).toBe('abstain')
    expect(await permittedCommand(allow, 'cd /etc && npm run lint')).toBe('abstain')
    expect(await permittedCommand(allow, 'cd src')).toBe('abstain')
  })

  it('without a pattern is about every call of the tool', async () => {
    expect(await permittedCommand({ deny: ['Bash'] }, 'ls')).toBe('deny')
    expect(await permittedCommand({ allow: ['shell'] }, 'rm -rf $X')).toBe('allow')
  })

  it('serves every agent, by its own tool name or any other', async () => {
    const call = { name: 'run_shell_command', agent: 'gemini-cli', command: 'curl x' }
    const rules = ['Bash(curl *)', 'shell(curl *)', 'run_shell_command(curl *)', 'execute_command(curl *)']
    const verdicts = await Promise.all(rules.map((rule) => permitted({ deny: [rule] }, call)))
    expect(verdicts.map(({ decision }) => decision)).toEqual(rules.map(() => 'deny'))
  })
})

describe('a permission rule that names a subcommand', () => {
  const behindOptions: readonly (readonly [rule: string, command: string])[] = [
    ['kubectl delete *', 'kubectl -n prod delete pod web'],
    ['kubectl delete *', 'kubectl --context=prod --namespace shop delete ns shop'],
    ['kubectl delete pod *', 'kubectl delete -n prod pod web'],
    ['kubectl:*', 'kubectl -n prod get pods'],
    ['git push*', 'git -C d push'],
    ['git push *', 'git --no-pager -c core.pager=cat push origin'],
    ['git push --force*', 'git push origin main --force'],
    ['git push --force *', 'git --git-dir d/.git push -u --force origin'],
    ['terraform destroy*', 'terraform -chdir=infra destroy'],
    ['terraform destroy', 'tf=1 terraform -chdir=infra destroy'],
    ['tofu destroy *', 'tofu -chdir=a destroy -auto-approve'],
    ['helm uninstall *', 'helm --kube-context prod -n shop uninstall web'],
    ['aws s3 rm *', 'aws --profile p --region eu-west-1 s3 rm s3://b/k'],
    ['aws s3 rm *', 'aws s3 --profile p rm s3://b/k'],
    ['aws s3 rm --recursive *', 'aws s3 rm s3://b --recursive'],
    ['gh pr merge *', 'gh -R o/r pr merge 5'],
    ['gh pr merge *', 'gh pr --repo o/r merge 5'],
    ['gh release delete*', 'sudo /usr/bin/gh --repo=o/r release delete v1'],
    ['docker rm *', 'docker --context prod rm web'],
    ['docker compose down*', 'docker -H tcp://h compose -f a.yml down -v'],
    ['docker compose down *', 'docker compose -p shop down --volumes'],
    ['npm publish*', 'npm --prefix packages/a publish'],
    ['npm run deploy', 'npm --prefix=packages/a run deploy'],
    ['pnpm publish *', 'pnpm -C packages/a publish --no-git-checks'],
    ['yarn npm publish*', 'yarn --cwd packages/a npm publish'],
    ['cargo publish*', 'cargo +nightly publish'],
    ['cargo publish --allow-dirty*', 'cargo +nightly publish -p a --allow-dirty'],
    ['systemctl stop *', 'systemctl --user stop web'],
    ['systemctl stop *', 'systemctl -H host --now stop web'],
    ['make deploy', 'make -C infra deploy'],
    ['make deploy*', 'make -j4 -C infra deploy ENV=prod'],
    ['gcloud compute instances delete *', 'gcloud --project p compute instances delete vm'],
    ['az group delete *', 'az --subscription s group delete -n g'],
    ['uv publish*', 'uv --directory d publish'],
    ['poetry publish*', 'poetry -C d publish'],
    ['go install *', 'go -C d install ./...'],
    ['flyctl apps destroy *', 'flyctl -a web apps destroy web'],
    ['nomad job stop *', 'nomad -address=http://h:4646 job stop web'],
    ['rm -rf *', 'rm build -rf'],
    ['git push *', 'git.exe -C d push origin'],
  ]

  it.each(behindOptions)('%s also refuses what has options in front of it: %s', async (rule, command) => {
    expect(await permittedCommand({ deny: [`Bash(${rule})`] }, command)).toBe('deny')
    expect(await permittedCommand({ ask: [`Bash(${rule})`] }, command)).toBe('ask')
  })

  it.each([
    ['pulumi destroy *', 'pulumi -C infra destroy --yes'],
    ['acme wipe *', 'acme --site a wipe all'],
    ['acme wipe *', 'acme -v --site a wipe all'],
    ['npm run deploy', 'npm run --prefix packages/a deploy'],
    ['kubectl delete *', 'kubectl --new-option x delete pod web'],
    ['kubectl delete *', 'kubectl $OPTIONS delete pod web'],
  ])('%s asks where nobody knows whether an option has a value: %s', async (rule, command) => {
    expect(await permittedCommand({ deny: [`Bash(${rule})`] }, command)).toMatch(/ask|deny/)
  })

  it.each([
    ['kubectl delete *', 'kubectl -n delete get pods'],
    ['git push*', 'git -C push status'],
    ['git push*', 'git commit -m "git push"'],
    ['git push*', 'git log --grep push'],
    ['git push --force*', 'git push origin main'],
    ['terraform destroy*', 'terraform -chdir=destroy plan'],
    ['docker rm *', 'docker run --rm -it alpine ls'],
    ['npm publish*', 'npm --prefix publish test'],
    ['gh pr merge *', 'gh -R o/r pr view 5'],
    ['make deploy', 'make -C deploy test'],
    ['cargo publish*', 'cargo +nightly test'],
    ['git push', 'git push origin'],
  ])('%s leaves %s', async (rule, command) => {
    expect(await permittedCommand({ deny: [`Bash(${rule})`], ask: [`Bash(${rule})`] }, command)).toBe('abstain')
  })

  it.each(behindOptions)('%s, if it allows, allows no option that it does not name: %s', async (rule, command) => {
    const isAsWritten = [/^kubectl:/, /^rm -rf/].some((one) => one.test(rule)) && !command.startsWith('rm build')
    expect(await permittedCommand({ allow: [`Bash(${rule})`] }, command)).toBe(isAsWritten ? 'allow' : 'abstain')
  })
})

describe('a permission rule for paths', () => {
  const deny = { deny: ['Read(./.env)', 'Edit(/migrations/**)'] }
  const root = '/home/someone/project'

  it.each([
    ['Read', `${root}/.env`, 'deny'],
    ['Read', `${root}/packages/a/.env`, 'abstain'],
    ['Write', `${root}/.env`, 'abstain'],
    ['Write', `${root}/migrations/1.sql`, 'deny'],
    ['Edit', `${root}/migrations/../src/a.ts`, 'abstain'],
    ['Grep', `${root}/.env`, 'deny'],
    ['Grep', root, 'abstain'],
  ])('judges %s of %s', async (name, path, decision) => {
    expect((await permitted(deny, { name, path })).decision).toBe(decision)
  })

  it.each([
    ['cat .env', 'deny'],
    ['cd packages && cat ../.env', 'deny'],
    ['source .env', 'deny'],
    ['grep KEY < .env', 'deny'],
    ['ls -l .env', 'abstain'],
    ['cat $FILE', 'ask'],
    ['grep -r KEY .', 'ask'],
    ['grep -r KEY src', 'abstain'],
    ['cat *', 'abstain'],
    ['cat .*', 'ask'],
    ['echo x > migrations/2.sql', 'deny'],
    ['rm -r migrations', 'deny'],
    ['sed -i s/a/b/ migrations/1.sql', 'deny'],
    ['cat migrations/1.sql', 'abstain'],
    ['ssh host cat .env', 'abstain'],
  ])('judges the paths of the command %j', async (command, decision) => {
    expect(await permittedCommand(deny, command)).toBe(decision)
  })

  it('below the home folder, or absolute, is about that place', async () => {
    const lists = { deny: ['Read(~/.ssh/**)', 'Read(//etc/shadow)'] }
    expect(await permittedCommand(lists, 'cat ~/.ssh/id_rsa')).toBe('deny')
    expect(await permittedCommand(lists, 'cat /etc/shadow')).toBe('deny')
    expect(await permittedCommand(lists, 'cat etc/shadow')).toBe('abstain')
  })

  it('in a project’s file starts from the project, wherever the agent works', async () => {
    const source = { id: 'p', scope: 'project', file: `${root}/.hookgate/hooks.json`, pluginRoot: undefined } as const
    const call = { name: 'Read', path: '.env', cwd: `${root}/packages` }
    expect((await permitted(deny, call, { source: { ...source, workspaceRoot: root } })).decision).toBe('abstain')
    expect(
      (await permitted(deny, { ...call, path: '../.env' }, { source: { ...source, workspaceRoot: root } })).decision,
    ).toBe('deny')
  })

  it('allows a call all of whose paths are covered', async () => {
    const allow = { allow: ['Edit(/src/**)', 'Read'] }
    expect((await permitted(allow, { name: 'Write', path: `${root}/src/a.ts` })).decision).toBe('allow')
    expect((await permitted(allow, { name: 'Edit', path: 'src/a.ts' })).decision).toBe('allow')
    expect((await permitted(allow, { name: 'Edit', path: 'package.json' })).decision).toBe('abstain')
    expect((await permitted(allow, { name: 'Read', path: '/etc/passwd' })).decision).toBe('allow')
  })
})

describe('a permission rule for other tools', () => {
  it('judges the host of an address', async () => {
    const lists = { deny: ['WebFetch(domain:*.evil.com)'], allow: ['WebFetch(domain:example.com)'] }
    const fetch = async (url: string) => (await permitted(lists, { name: 'WebFetch', url })).decision
    expect(await fetch('https://a.evil.com/x')).toBe('deny')
    expect(await fetch('https://example.com/x')).toBe('allow')
    expect(await fetch('https://example.com.evil.org/x')).toBe('abstain')
  })

  it('judges every address of a prompt', async () => {
    const call = { name: 'web_fetch', agent: 'gemini-cli', url: 'compare https://example.com and https://evil.com/x' }
    const lists = { deny: ['WebFetch(domain:evil.com)'], allow: ['WebFetch(domain:example.com)'] }
    expect((await permitted(lists, call)).decision).toBe('deny')
    expect((await permitted({ allow: lists.allow }, call)).decision).toBe('abstain')
  })

  it('covers an MCP server, or one of its tools', async () => {
    const call = { name: 'mcp__github__create_issue' }
    expect((await permitted({ deny: ['mcp__github'] }, call)).decision).toBe('deny')
    expect((await permitted({ allow: ['mcp__github__create_issue'] }, call)).decision).toBe('allow')
    expect((await permitted({ allow: ['mcp__gitlab__*'] }, call)).decision).toBe('abstain')
  })
})

describe('an untrusted project’s permission rules', () => {
  it('may refuse and ask, but not allow, and say so', async () => {
    const untrusted = { untrustedReason: 'it came with the workspace' }
    const call = { name: 'Bash', command: 'git status' }
    expect((await permitted({ deny: ['Bash(git *)'] }, call, untrusted)).decision).toBe('deny')
    const verdict = await permitted({ allow: ['Bash(git *)'] }, call, untrusted)
    expect(verdict.decision).toBe('abstain')
    expect(verdict.evaluations.at(-1)?.remarks).toEqual([
      'its `allow` does not count; this rule can only tighten: it came with the workspace',
    ])
  })
})
