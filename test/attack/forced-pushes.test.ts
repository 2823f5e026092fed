import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../support/shipped-gate.ts'

// Ways to replace or delete the branches of a remote in which `git push --force` is not written.

const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

interface Way {
  readonly by: string
  readonly forced: readonly string[]
  readonly harmless: readonly string[]
}

const ways: readonly Way[] = [
  {
    by: 'a setting or an alias, for one call or for later ones',
    forced: [
      'git -c remote.origin.push=+main:main push',
      'git -c remote.origin.push=+refs/heads/*:refs/heads/* push origin',
      'git -c remote.origin.mirror=true push',
      'git -c remote.origin.mirror push origin',
      "git -c alias.p='push --force' p",
      "git config alias.p 'push --force' && git p",
      'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+main git push',
      'export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+main; git push',
      'env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.mirror GIT_CONFIG_VALUE_0=1 git push',
      `GIT_CONFIG_PARAMETERS="'remote.origin.push'='+main'" git push`,
      'P=+main git --config-env=remote.origin.push=P push',
      'git config remote.origin.push +main && git push',
      'git config --add remote.origin.push +main; git push origin',
      'git config set remote.origin.mirror true; git push',
      'git config remote.origin.mirror true',
      "git config --global alias.pf 'push -f'",
      'git remote add --mirror=push backup https://a.example/x.git',
      'git remote add --mirror=push backup git@a.example:x.git && git push backup',
      'git remote add --mirror backup git@a.example:x.git',
      'git -c remote.origin.push=:main push',
      'git clone -c remote.origin.push=+main https://a.example/x.git',
      'git config --file .git/config remote.origin.push +main',
      "git config --replace-all remote.origin.push '+refs/heads/*:refs/heads/*'",
      'git config --worktree remote.origin.mirror yes',
      'git config remote.origin.push "$REFSPEC"',
      "git -c Alias.P='push --mirror' p",
      "git -c alias.p='!git push -f' p",
      "git -c alias.a=b -c alias.b='push -f' a",
      "git -c alias.p='push origin +main' p",
      "git config alias.undo 'reset --hard'",
      "git config alias.wipe 'clean -fdx'",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0='push --mirror' git p",
      'bash -c "git -c remote.origin.push=+main push"',
      'GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=a GIT_CONFIG_KEY_1=remote.b.push GIT_CONFIG_VALUE_1=+a:b git push b',
      'git -c REMOTE.origin.PUSH=+main push',
      'git config --local remote.origin.push :main',
      'git remote add -t main --mirror=push b git@a.example:b.git',
      "git config alias.nuke 'branch -D'",
    ],
    harmless: [
      'git config alias.st status',
      "git config alias.pl 'push --force-with-lease'",
      "git config alias.up 'push -u origin HEAD'",
      'git config remote.origin.push HEAD',
      'git config remote.origin.push',
      'git config --get remote.origin.push',
      'git config remote.origin.mirror false',
      'git -c remote.origin.push=main push -n',
      'git config --unset remote.origin.push',
      "git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'",
      'git -c push.default=current push',
      'git remote add upstream https://a.example/x.git',
      'git config push.autoSetupRemote true',
      'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.mirror GIT_CONFIG_VALUE_0=false git push',
      'git config alias.lg "log --graph --format=%h"',
      "git config alias.unstage 'reset HEAD --'",
      "git config alias.last 'log -1 HEAD'",
      "git config alias.amend 'commit --amend --no-edit'",
      "git config alias.cleanup 'clean -n'",
      'git config --global alias.co checkout',
      "git config alias.pushf 'push --follow-tags'",
    ],
  },
  {
    by: 'plumbing, or a bare repository elsewhere',
    forced: [
      'git send-pack --force git@a.example:x.git main',
      'git send-pack git@a.example:x.git +main',
      'git send-pack --mirror git@a.example:x.git',
      'git send-pack a.example:x.git :main',
      'git-send-pack --force a.example:x.git main',
      'git http-push --force https://a.example/x.git main',
      'git http-push -D https://a.example/x.git main',
      'git http-push --all --force https://a.example/x.git',
      'git --git-dir=/srv/git/x.git update-ref refs/heads/main abc123',
      'git -C ../x.git update-ref refs/heads/main HEAD~3',
      'cd /srv/git/x.git && git update-ref refs/heads/main abc123',
      'GIT_DIR=/srv/git/x.git git update-ref refs/heads/main abc123',
      'git -C /srv/git/x.git fetch /home/u/proj +main:main',
      "git --git-dir ../x.git fetch . '+refs/heads/*:refs/heads/*'",
      'git -C /srv/git/x.git fetch --force /home/u/proj main:main',
      'git -C /srv/git/x.git branch -f main abc123',
      "ssh git@a.example 'cd /srv/git/x.git && git update-ref refs/heads/main abc123'",
      "echo 'update refs/heads/main abc123' | git -C /srv/git/x.git update-ref --stdin",
      'git -C /srv/git/x.git symbolic-ref refs/heads/main refs/heads/x',
      'git subtree push -P a origin +main',
      'GIT_DIR=../r.git git fetch . +topic:main',
      'git --git-dir=/srv/r.git fetch -f ../proj topic:main',
      'git -C /srv/r.git symbolic-ref refs/heads/main refs/heads/x',
      'ssh git@a.example git --git-dir=/srv/r.git update-ref refs/heads/main abc',
    ],
    harmless: [
      'git update-ref refs/heads/x HEAD',
      'git fetch origin +main:refs/remotes/origin/main',
      "git fetch -f origin '+refs/heads/*:refs/remotes/origin/*'",
      'git -C packages/a fetch origin',
      'git -C packages/a branch topic',
      'git -C ../other fetch origin main:main',
      'git remote add --mirror=fetch b git@a.example:b.git',
      'git init --bare /tmp/r.git && git -C /tmp/r.git symbolic-ref HEAD refs/heads/main',
      'git -C /tmp/r.git update-ref refs/heads/main abc',
      'git clone --mirror https://a.example/x.git && git -C x.git remote update',
      'git clone --bare . ../backup.git',
    ],
  },
  {
    by: 'a library of another language',
    forced: [
      `python3 -c "import git; git.Repo('.').remotes.origin.push(force=True)"`,
      `python3 -c "import git; git.Repo('.').git.push('--force')"`,
      `python3 -c "import git; git.Repo('.').git.push('origin', 'main', force=True)"`,
      `python3 -c "from git import Repo; Repo('.').remote().push('+main:main')"`,
      `python3 -c "from git import Repo; Repo('.').remotes.origin.push(refspec='+refs/heads/main')"`,
      `python3 -c "from git import Repo; r = Repo('.'); r.remotes.origin.push(refspec=':main')"`,
      `python3 -c "from git import Repo; r = Repo('.'); r.git.execute(['git', 'push', '-f'])"`,
      `python3 -c "from dulwich import porcelain; porcelain.push('.', 'origin', b'refs/heads/main', force=True)"`,
      `python3 -c "from dulwich import porcelain; porcelain.push('.', 'https://a.example/x.git', '+refs/heads/main')"`,
      `python3 -c "import pygit2; pygit2.Repository('.').remotes['origin'].push(['+refs/heads/main:refs/heads/main'])"`,
      `node -e "require('simple-git')().push(['--force'])"`,
      `node -e "const git = require('simple-git')(); git.push('origin', 'main', {'--force': null})"`,
      `node -e "const git = require('simple-git')(); git.raw(['push', '-f', 'origin'])"`,
      `node --input-type=module -e "import git from 'isomorphic-git'; await git.push({fs, http, dir: '.', force: true})"`,
      `node -e "const git = require('isomorphic-git'); git.push({fs, http, dir: '.', remote: 'origin', ref: 'main', delete: true})"`,
      `node -e "const g = require('nodegit'); g.Repository.open('.').then(r => r.getRemote('origin')).then(r => r.push(['+refs/heads/main:refs/heads/main']))"`,
      `ruby -e "require 'git'; Git.open('.').push('origin', 'main', force: true)"`,
      `ruby -e "require 'rugged'; Rugged::Repository.new('.').remotes['origin'].push(['+refs/heads/main'])"`,
      `perl -MGit -e "Git->repository->command('push', '--force')"`,
      `php -r '$r = new Gitonomy\\Git\\Repository("."); $r->run("push", ["--force"]);'`,
      `groovy -e "org.eclipse.jgit.api.Git.open(new File('.')).push().setForce(true).call()"`,
      `jshell - <<< 'org.eclipse.jgit.api.Git.open(new java.io.File(".")).push().setForce(true).call();'`,
      `cat > /tmp/m.go <<'G' && go run /tmp/m.go
package main
import "github.com/go-git/go-git/v5"
func main() {
 r, _ := git.PlainOpen(".")
 r.Push(&git.PushOptions{
  RemoteName: "origin",
  Force: true,
 })
}
G`,
      `python3 - <<'E'
import git
spec = '+refs/heads/main:refs/heads/main'
git.Repo('.').remotes.origin.push(spec)
E`,
      `node <<'E'
const { simpleGit } = require('simple-git')
simpleGit().push(['origin', 'main', '--force'])
E`,
      `deno eval "import git from 'npm:isomorphic-git'; await git.push({ force: true })"`,
      `bun -e "import git from 'isomorphic-git'; await git.push({ fs, force: true })"`,
      `uv run --with pygit2 python -c "import pygit2; pygit2.Repository('.').remotes[0].push(['+refs/heads/main'])"`,
    ],
    harmless: [
      `python3 -c "import git; git.Repo('.').remotes.origin.push()"`,
      `python3 -c "import git; print(git.Repo('.').head.commit)"`,
      `node -e "require('simple-git')().push('origin', 'topic')"`,
      `node -e "require('simple-git')().status().then(console.log)"`,
      `python3 -c "a = []; a.push = 1; print('--force')"`,
      `node -e "const a = []; a.push('--force'); console.log(a)"`,
      'node -e "const rows = []; rows.push({force: true}); console.log(rows)"',
      `python3 -c "import git; r = git.Repo('.'); r.remotes.origin.push(force=False)"`,
      `python3 - <<'E'
from git import Repo
Repo('.').git.push('--force-with-lease')
E`,
      `node -e "const git = require('simple-git')(); const files = []; files.push('a'); git.add(files)"`,
    ],
  },
]

describe.each(ways)('a push by force by $by', ({ forced, harmless }) => {
  it.each(forced)('is refused or asked about: `%s`', async (command) => {
    const { denied, asked } = await gate.judge(command)
    expect([...denied, ...asked]).not.toEqual([])
  })

  it.each(harmless)('is not seen in what does no such thing: `%s`', async (command) => {
    expect(await gate.judge(command)).toEqual({ denied: [], asked: [] })
  })
})
