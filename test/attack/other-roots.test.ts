import { expect, it } from 'vitest'
import { protectedUser } from '../support/self-protection.ts'

/** Commands that change protected files by the names that another root, or a bound folder, gives them. */
const ways = [
  'docker run -v ~:/h alpine rm /h/.claude/settings.json',
  'docker run --rm -v "$HOME":/h:rw alpine sh -c "echo {} > /h/.claude/settings.json"',
  'docker run --mount type=bind,source=$HOME,target=/h alpine rm /h/.claude/settings.json',
  'docker run --mount=type=bind,src=$HOME,dst=/h alpine rm /h/.claude/settings.json',
  'podman run --volume=$HOME/.config:/c:z alpine rm -rf /c/hookgate',
  'nerdctl run -v ~:/h alpine sed -i s/a/b/ /h/.claude/settings.json',
  'docker compose run -v ~:/h app rm /h/.claude/settings.json',
  'docker-compose run --volume ~:/h app truncate -s 0 /h/.claude/settings.json',
  'docker run -v ~:/h -w /h/.claude alpine rm settings.json',
  'docker run -v ~:/h -w /h/work/project alpine rm ../../.claude/settings.json',
  'docker run -v ~:/h alpine sh -c "cd /h/.claude && rm settings.json"',
  'docker run -v /:/host alpine rm /host/H/.claude/settings.json',
  'docker run -v /:/host alpine chroot /host rm /H/.claude/settings.json',
  'docker run -v /:/host alpine chroot /host/H/ sh -c "rm /.claude/settings.json"',
  'docker run -v ~:/h alpine find /h/.claude -name settings.json -delete',
  'docker run -v ~:/h alpine sh -c "find /h/.claude -type f | xargs rm"',
  'docker run -v ~:/h alpine sh -c "rm /h/.claude/*.json"',
  'docker run -v ~:/h python python3 -c "import os; os.remove(\'/h/.claude/settings.json\')"',
  'docker create --entrypoint rm -v ~:/h alpine /h/.claude/settings.json',
  'docker run -v ~:/h alpine tee /h/.claude/settings.json < x',
  'docker run -v ~:/root alpine sh -c "rm ~/.claude/settings.json"',
  'docker run -v ~:/h alpine mv /h/.claude /h/x',
  'docker run -v ~:/h alpine cp /etc/hosts /h/.claude/settings.json',
  'docker run -v "$(anything)":/h alpine rm /h/.claude/settings.json',
  'docker run -v ~/.claude:/a/b/c alpine rm -rf /a',
  'cd ~ && docker run -v .:/h alpine rm /h/.claude/settings.json',
  'cd / && docker run -v ./H/:/h alpine rm /h/.claude/settings.json',
  'chroot ~ rm /.claude/settings.json',
  "chroot ~ sh -c 'rm /.claude/settings.json'",
  'chroot ~ rm .claude/settings.json',
  "chroot ~ sh -c 'cd .claude; rm settings.json'",
  'sudo chroot / rm /H/.claude/settings.json',
  'cd ~ && sudo chroot . rm /.claude/settings.json',
  'chroot --userspec=me ~ rm /.claude/settings.json',
  'unshare -r chroot ~ rm .claude/settings.json',
  'unshare -R ~ rm /.claude/settings.json',
  'unshare --root=$HOME rm .claude/settings.json',
  'proot -r ~ rm /.claude/settings.json',
  'proot -b ~:/h rm /h/.claude/settings.json',
  'proot -w ~/.claude rm settings.json',
  'systemd-nspawn -D ~ rm /.claude/settings.json',
  'systemd-nspawn -D /srv/x --bind=$HOME:/h rm /h/.claude/settings.json',
  'bwrap --bind ~ / rm /.claude/settings.json',
  'bwrap --ro-bind / / --bind ~ /h rm /h/.claude/settings.json',
  'bwrap --bind ~ /h --chdir /h/.claude rm settings.json',
  'apptainer exec a.sif rm ~/.claude/settings.json',
  'apptainer exec -B ~:/h a.sif rm /h/.claude/settings.json',
  'distrobox enter box -- rm ~/.claude/settings.json',
  'cd ~/.claude && distrobox enter box -- rm settings.json',
  'arch-chroot ~ rm /.claude/settings.json',
  'schroot -c x -- rm ~/.claude/settings.json',
  'docker run -v ~:/h alpine cat /h/.local/state/hookgate/token',
]

/** Everyday work in containers and other roots. */
const everyday = [
  'docker run --rm -v "$PWD":/app -w /app node npm test',
  'docker run --rm -v "$PWD":/app -w /app node rm -rf node_modules',
  'docker run -v ~/.npm:/root/.npm node npm ci',
  'docker run -v ~:/h alpine ls /h',
  'docker run -v ~:/h alpine cat /h/.claude/settings.json',
  'docker run -v ~/.claude:/c:ro alpine cat /c/settings.json',
  'docker run -v data:/h alpine rm /h/.claude/settings.json',
  'docker run alpine rm /root/.claude/settings.json',
  'docker run alpine rm ~/.claude/settings.json',
  'docker exec c rm ~/.claude/settings.json',
  'ssh host rm ~/.claude/settings.json',
  'docker run -v ~:/h alpine ssh host rm /h/.claude/settings.json',
  'chroot /srv/rootfs rm /root/.claude/settings.json',
  'chroot /srv/rootfs apt-get update',
  'distrobox enter box -- npm test',
  'bwrap --ro-bind / / --bind "$PWD" "$PWD" rm -rf dist',
  'docker compose run -v "$PWD":/app app sh -c "cd /app && rm -rf dist"',
]

async function decided(calls: readonly string[]) {
  const user = protectedUser()
  const all = await Promise.all(
    calls.map(async (call) => [call, (await user.command(call.replaceAll('/H/', `${user.home}/`))).decision] as const),
  )
  return {
    passed: all.flatMap(([call, decision]) => (decision === 'abstain' ? [call] : [])),
    stopped: all.flatMap(([call, decision]) => (decision === 'abstain' ? [] : [call])),
  }
}

it('protected files are protected under the names that another root or a bound folder gives them', async () => {
  expect((await decided(ways)).passed).toEqual([])
})

it('no opinion is had of everyday work in containers, and of homes that are not this one', async () => {
  expect((await decided(everyday)).stopped).toEqual([])
})
