import { describe, expect, it } from 'vitest'
import { readOwnCorpus } from '../../../bench/accuracy/own.ts'
import { lineOf, readPrepared } from '../../../src/words/options.ts'
import { programNamed } from '../../../src/facts/programs/table.ts'
import { unknownPart } from '../../../src/model/shell.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** The arguments of a text's first command, as they were read. */
function read(text: string) {
  const [command] = factsOf(text).commands
  const line = command && lineOf(command)
  if (line === undefined) return undefined
  const { subcommand, globals, given, operands, rest, uncertain } = line
  const texts = (some: typeof given) => some.map(({ name, value }) => `${name}=${value.value}`)
  return {
    subcommand,
    globals: texts(globals.given),
    options: texts(given),
    operands: operands.map(({ value }) => value),
    rest: rest.map(({ value }) => value),
    uncertain,
  }
}

const nothing = { subcommand: undefined, globals: [], options: [], operands: [], rest: [], uncertain: false }

describe('the arguments of a command', () => {
  it.each([
    ['sort -uo out a b', { options: ['u=', 'o=out'], operands: ['a', 'b'], rest: ['-uo', 'out', 'a', 'b'] }],
    ['sort --outp=out a', { options: ['output=out'], operands: ['a'], rest: ['--outp=out', 'a'] }],
    ['sort -oout', { options: ['o=out'], rest: ['-oout'] }],
    ['ls', {}],
    [
      'git -C there -c a.b=c push --porc -o x origin +main',
      {
        subcommand: 'push',
        globals: ['C=there', 'c=a.b=c'],
        options: ['porcelain=', 'o=x'],
        operands: ['origin', '+main'],
        rest: ['--porc', '-o', 'x', 'origin', '+main'],
      },
    ],
    ['git push', { subcommand: 'push' }],
    [
      'git restore --conflict --staged a.txt',
      {
        subcommand: 'restore',
        options: ['conflict=--staged'],
        operands: ['a.txt'],
        rest: ['--conflict', '--staged', 'a.txt'],
      },
    ],
    [
      'hub --bare switch --disc x',
      {
        subcommand: 'switch',
        globals: ['bare='],
        options: ['discard-changes='],
        operands: ['x'],
        rest: ['--disc', 'x'],
      },
    ],
    ['/usr/lib/git-core/git-reset --ha', { options: ['hard='], rest: ['--ha'] }],
    ['git send-email --to a', { subcommand: 'send-email', options: ['to=a'], rest: ['--to', 'a'] }],
    ['git push $X', { subcommand: 'push', operands: [unknownPart], rest: [unknownPart], uncertain: true }],
    [
      'docker --context x compose -f y exec -e A=b web ls -l',
      {
        subcommand: 'compose exec',
        globals: ['context=x', 'f=y'],
        options: ['e=A=b'],
        operands: ['web', 'ls', '-l'],
        rest: ['-e', 'A=b', 'web', 'ls', '-l'],
      },
    ],
    [
      'podman-remote --url x ps -f name=a',
      { subcommand: 'ps', globals: ['url=x'], options: ['f=name=a'], rest: ['-f', 'name=a'] },
    ],
    [
      'docker -D rm -lf a',
      { subcommand: 'rm', globals: ['D='], options: ['l=', 'f='], operands: ['a'], rest: ['-lf', 'a'] },
    ],
    [
      'terraform -chdir=x state -lock=false rm a',
      {
        subcommand: 'state',
        globals: ['chdir=x'],
        options: ['lock=false'],
        operands: ['rm', 'a'],
        rest: ['-lock=false', 'rm', 'a'],
      },
    ],
    ['helm -n delete plugin list', { subcommand: 'plugin', globals: ['n=delete'], operands: ['list'], rest: ['list'] }],
    [
      'kubectl -n x logs -f web',
      { subcommand: 'logs', globals: ['n=x'], options: ['f='], operands: ['web'], rest: ['-f', 'web'] },
    ],
    ['oc patch a b -p c', { subcommand: 'patch', options: ['p=c'], operands: ['a', 'b'], rest: ['a', 'b', '-p', 'c'] }],
    ['tar cf x.tar y', { options: ['c=', 'f=x.tar'], operands: ['y'], rest: ['-c', '-f', 'x.tar', 'y'] }],
  ])('are read as its program reads them: `%s`', (text, wanted) => {
    expect(read(text)).toMatchObject({ ...nothing, ...wanted })
  })

  it('are not read where no row knows the options of its program', () => {
    expect(read('newlauncher -q x')).toBeUndefined()
  })

  it('are those that its row reads, for every command of the own corpus without a subcommand', () => {
    const commands = readOwnCorpus().flatMap(({ cmd }) => (cmd === undefined ? [] : factsOf(cmd).commands))
    const lines = commands.flatMap((command) => {
      const row = programNamed(command.program)
      const line = lineOf(command)
      if (row === undefined || line === undefined || line.subcommand !== undefined) return []
      const wanted = readPrepared(row.row.words?.(command) ?? command.args, row.options)
      const plain = ({ given, operands, uncertain }: Pick<typeof line, 'given' | 'operands' | 'uncertain'>) =>
        JSON.stringify({
          given: given.map(({ name, value }) => [name, value.value]),
          operands: operands.map(({ value }) => value),
          uncertain,
        })
      return [[plain(line), plain(wanted)] as const]
    })
    expect(lines.length).toBeGreaterThan(200)
    expect(lines.map(([found]) => found)).toEqual(lines.map(([, wanted]) => wanted))
  })
})

describe('an option of a command', () => {
  it.each([
    ['git push --force', 'on'],
    ['git push --no-force --force', 'on'],
    ['git push --force --no-force', 'off'],
    ['git push -f --no-force', 'off'],
    ['git push --no-force -f', 'on'],
    ['git push -f --no-forc', 'on'],
    ['git push --force -q --no-force-with-lease', 'on'],
    ['git push --force=false', 'off'],
    ['git push --force=None', 'off'],
    ['git push --force=0', 'off'],
    ['git push --force=yes', 'on'],
    ['git push --force=$HOW', 'unsure'],
    ['git push --force false', 'unsure'],
    ['git push --force --no-force=false', 'unsure'],
    ['git push --force --no-force=$HOW', 'unsure'],
    ['git push --force --force=no --force', 'on'],
    ['git push -f=false', 'off'],
    ['git push -- --force', 'off'],
    ['git push -o --force', 'off'],
  ])('is what the last one leaves it at: in `%s` `force` is %s', (text, state) => {
    const [command] = factsOf(text).commands
    const line = command && lineOf(command)
    const has = line?.has('f', 'force')
    const surely = line?.surely('f', 'force')
    expect({ has, surely }).toEqual({ has: state !== 'off', surely: state === 'on' })
  })

  it.each([
    ['git clean --no-dry', 'no-dry-run'],
    ['git push --no-mir', 'no-mirror'],
    ['git push --no-force', 'no-force'],
    ['git restore --no-wo .', 'no-worktree'],
    ['npm --no-dry publish', 'no-dry'],
  ])('may be taken back in short: `%s`', (text, name) => {
    const [command] = factsOf(text).commands
    const line = command && lineOf(command)
    expect([...(line?.globals.given ?? []), ...(line?.given ?? [])].map((one) => one.name)).toEqual([name])
  })

  it.each([
    ['npm publis', 'publish'],
    ['npm --prefix a publi', 'publish'],
    ['npm unpub a', 'unpublish'],
    ['npm distTag ls', 'dist-tag'],
    ['npm pub', 'publish'],
    ['npm un a', 'un'],
    ['npm p', 'p'],
  ])('of npm stands behind a command that may be cut short: `%s`', (text, name) => {
    const [command] = factsOf(text).commands
    const line = command && lineOf(command)
    expect(line?.subcommand).toBe(name)
  })
})

describe('an option with several names', () => {
  // Asked for by the name that is not written there, or by one of several programs' own.
  it.each([
    ['git commit -m a', 'message', 'a'],
    ['git commit --message=a', 'm', 'a'],
    ['git commit -nq', 'no-verify', ''],
    ['git push -d origin b', 'delete', ''],
    ['git push --dry-run', 'n', ''],
    ['git -C lib branch -D b', 'D', ''],
    ['git tag -a v1 -m text', 'annotate', ''],
    ['git stash push -u', 'include-untracked', ''],
    ['git worktree add -f ../b', 'force', ''],
    ['git clone -b main u', 'branch', 'main'],
    ['docker run -v /a:/b image', 'volume', '/a:/b'],
    ['docker run --volume /a:/b image', 'v', '/a:/b'],
    ['docker rm -f web', 'force', ''],
    ['docker container rm --force web', 'f', ''],
    ['docker compose -f dev.yaml down -v', 'volumes', ''],
    ['docker build -t a .', 'tag', 'a'],
    ['podman run -p 80:80 image', 'publish', '80:80'],
    ['kubectl delete pod web -n shop', 'namespace', 'shop'],
    ['kubectl apply --filename a.yaml', 'f', 'a.yaml'],
    ['kubectl get pods -A', 'all-namespaces', ''],
    ['kubectl logs -f web', 'follow', ''],
    ['oc delete pod web -n shop', 'namespace', 'shop'],
    ['curl -XPOST https://a.example', 'request', 'POST'],
    ['curl --request POST https://a.example', 'X', 'POST'],
    ['curl -sSk https://a.example', 'insecure', ''],
    ['curl -d a=b https://a.example', 'data', 'a=b'],
    ['ssh -i key a.example', 'i', 'key'],
    ['npm install -g a', 'global', ''],
    ['npm i --save-dev a', 'D', ''],
    ['tar -czf a.tgz b', 'file', 'a.tgz'],
    ['tar xf a.tar', 'extract', ''],
    ['tar --extract --file a.tar', 'x', ''],
    ['terraform apply -auto-approve', 'auto-approve', ''],
    ['aws s3 rm s3://a --recursive', 'recursive', ''],
    ['az group delete -n shop -y', 'yes', ''],
    ['gh pr merge 1 -d', 'delete-branch', ''],
    ['gh api -X DELETE repos/a/b', 'method', 'DELETE'],
    ['gh release create v1 --notes text', 'n', 'text'],
    ['psql -c "drop table a"', 'command', 'drop table a'],
    ['psql --dbname shop', 'd', 'shop'],
    ['helm upgrade web ./chart -i', 'install', ''],
    ['helm install web ./chart --values a.yaml', 'f', 'a.yaml'],
    ['rsync -n a b', 'dry-run', ''],
    ['grep -r a .', 'recursive', ''],
    ['python3.12 -m pip install -r a.txt', 'm', 'pip'],
    ['mysql -e "select 1"', 'execute', 'select 1'],
    ['wget -O out https://a.example', 'output-document', 'out'],
  ])('is found by each of them: `%s` by `%s`', (text, name, value) => {
    const [command] = factsOf(text).commands
    const line = command && lineOf(command)
    const all = [line, line?.globals].flatMap((one) => (one?.has(name) === true ? one.values(name) : []))
    expect(all.map((one) => one.value)).toEqual([value])
  })

  it.each([
    ['git add -n .', 'no-verify'],
    ['git log -n 3', 'dry-run'],
    ['git -p log', 'patch'],
    ['git commit -p', 'paginate'],
    ['docker run -f a', 'force'],
    ['kubectl logs -f web', 'filename'],
    ['curl -I https://a.example', 'include'],
    ['tar -t -f a.tar', 'extract'],
    ['grep -R a .', 'regexp'],
  ])('is none that has this letter in another subcommand or program: `%s` has no `%s`', (text, name) => {
    const [command] = factsOf(text).commands
    const line = command && lineOf(command)
    expect([line?.has(name), line?.globals.has(name)]).toEqual([false, false])
  })

  it('is off where its other name is taken back', () => {
    const [command] = factsOf('git push -f --no-force').commands
    const line = command && lineOf(command)
    expect([line?.has('force'), line?.has('f'), line?.surely('force')]).toEqual([false, false, false])
  })
})
