import { describe, expect, it } from 'vitest'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'

const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'], env: {} }

/** Lists each command that would run, with its arguments. */
const commandsOf = (text: string): readonly string[] =>
  shellFacts(text, around).commands.map(({ program, args }) => [program, ...args.map(({ value }) => value)].join(' '))

describe('a program that no row knows may start what its words spell', () => {
  it.each([
    ['it is all of its words', 'newlauncher rm -rf ~'],
    ['options come before it', 'newlauncher -q --level 3 -e rm -rf ~'],
    ['it has words of its own', 'newlauncher 10 job-1 rm -rf ~'],
    ['it is behind dashes', 'newlauncher --root / -- /bin/rm -rf ~'],
    ['another launcher is behind it', 'newlauncher sudo env A=1 rm -rf ~'],
    ['a shell is behind it', `newlauncher box /bin/sh -c 'rm -rf ~'`],
    ['it takes one text', `newlauncher 'cd ~ && rm -rf ~'`],
    ['a subcommand takes one text', `newlauncher --local cmd.run 'rm -rf ~'`],
    ['an option has it', `newlauncher --on-success='rm -rf ~' src`],
    ['the value of an option has it', `newlauncher src --build-cmd 'rm -rf ~'`],
    ['a short option has it', `newlauncher -c 'rm -rf ~'`],
    ['a variable has it', `CC='rm -rf ~' newbuild`],
    ['a package is run so', `npx newlauncher --shell 'rm -rf ~'`],
    ['a shell behind it reads a pipe', `echo 'rm -rf ~' | newlauncher sh`],
  ])('%s: %s', (_, text) => {
    expect(commandsOf(text)).toContain('rm -rf /home/u')
  })

  it.each([
    'opam exec -- rm -rf ~',
    'yarn workspaces foreach -A exec rm -rf ~',
    'meson devenv -C build rm -rf ~',
    'etcdctl lock build rm -rf ~',
    `make CC='gcc' all; CC='rm -rf ~' make x.o`,
    `svn --editor-cmd 'rm -rf ~' commit`,
    `bazel run --run_under='rm -rf ~' //:app`,
  ])('so may a known one behind the word that runs: %s', (text) => {
    expect(commandsOf(text)).toContain('rm -rf /home/u')
  })
})

describe('a substitution in a pattern is run', () => {
  it.each([
    'ls [$(rm -rf ~)]',
    'ls [`rm -rf ~`]',
    'ls [a[$(rm -rf ~)]]',
    'ls [${X:-$(rm -rf ~)}]',
    'echo a[$(rm -rf ~)]',
    'echo ?($(rm -rf ~))',
    'echo @(a|b"$(rm -rf ~)")*',
    '[[ -v a[$(rm -rf ~)] ]]',
    '[[ x == [$(rm -rf ~)]* ]]',
    '[[ x =~ [$(rm -rf ~)] ]]',
    'case x in [$(rm -rf ~)]) :;; esac',
    'for f in *[!$(rm -rf ~)]; do :; done',
    'x=[$(rm -rf ~)]',
    'a=([$(rm -rf ~)])',
    'cat < [$(rm -rf ~)]',
    ': ${x#[$(rm -rf ~)]}',
    ': ${x/?($(rm -rf ~))/y}',
  ])('%s', (text) => {
    expect(commandsOf(text)).toContain('rm -rf /home/u')
  })

  it('and decides what the pattern matches', () => {
    const { commands } = shellFacts('rm [$(cat a)]b @($(cat a)).log [ab]*', around)
    const paths = commands.flatMap((one) => one.paths.filter(({ access }) => access === 'delete'))
    expect(paths.map(({ pattern }) => pattern)).toEqual(['/home/u/proj/?b', '/home/u/proj/*.log', '/home/u/proj/[ab]*'])
  })
})

describe('a program of many programs, a shell or an interpreter that few people have starts what it is given', () => {
  it.each([
    'coreutils --coreutils-prog=rm -rf ~',
    'coreutils --coreutils-prog-shebang=rm ./script -rf ~',
    'coreutils rm -rf ~',
    'busybox rm -rf ~',
    `toybox sh -c 'rm -rf ~'`,
    'sbase-box rm -rf ~',
    ...'rush nu elvish xonsh ion osh ysh murex brush yash mrsh'.split(' ').map((shell) => `${shell} -c 'rm -rf ~'`),
    `sbcl --non-interactive --eval '(sb-ext:run-program "/bin/sh" (list "-c" "rm -rf ~"))'`,
    `sbcl --script <(echo '(uiop:run-program "rm -rf ~")')`,
    `ccl -e '(run-program "rm" (list "-rf" "/home/u"))'`,
    "crystal eval '`rm -rf ~`'",
    `crystal run <(echo 'system("rm -rf ~")')`,
    `clojure -e '(clojure.java.shell/sh "rm" "-rf" "/home/u")'`,
    `bb '(babashka.process/shell "rm -rf ~")'`,
    `joker -e '(joker.os/sh "rm" "-rf" "/home/u")'`,
    `guile -c '(system* "rm" "-rf" "/home/u")'`,
    `racket -e '(require racket/system) (system "rm -rf ~")'`,
    `chez --script <(echo '(system "rm -rf ~")')`,
    `janet -e '(os/execute ["rm" "-rf" "/home/u"] :p)'`,
    `swift -e 'import Foundation; system("rm -rf ~")'`,
    `kotlin -e 'Runtime.getRuntime().exec("rm -rf /home/u")'`,
    `kotlinc -script <(echo 'Runtime.getRuntime().exec("rm -rf /home/u")')`,
    `dart run <(echo 'main() { Process.runSync("rm", ["-rf", "/home/u"]); }')`,
    'julia -e "run(\\`rm -rf /home/u\\`)"',
    `Rscript -e 'system("rm -rf ~")'`,
    `ghci -e ':!rm -rf ~'`,
    `runghc <<< 'main = callCommand "rm -rf ~"'`,
    `ocaml -e 'Sys.command "rm -rf ~"'`,
    `erl -noshell -eval 'os:cmd("rm -rf ~"), halt().'`,
    `escript <(echo 'main(_) -> os:cmd("rm -rf ~").')`,
    `elixir -e 'System.cmd("rm", ["-rf", "/home/u"])'`,
    `scala -e 'import sys.process._; "rm -rf /home/u".!'`,
    `amm -c 'os.proc("rm","-rf","/home/u").call()'`,
    `jshell <<< 'new ProcessBuilder("rm","-rf","/home/u").start()'`,
    `java <(echo 'Runtime.getRuntime().exec("rm -rf /home/u");')`,
    `nim e <(echo 'exec "rm -rf ~"')`,
    `yaegi -e 'exec.Command("rm","-rf","/home/u").Run()'`,
    `rust-script -e 'Command::new("rm").arg("-rf").arg("/home/u").status()'`,
    `evcxr <<< 'Command::new("rm").args(&["-rf", "/home/u"]).status()'`,
    `dotnet script eval 'System.Diagnostics.Process.Start("rm", "-rf /home/u")'`,
    `dotnet fsi --exec <(echo 'Process.Start("rm", "-rf /home/u")')`,
    `csi -e 'Process.Start("rm", "-rf /home/u")'`,
    `gst -e 'Smalltalk system: "rm -rf ~"'`,
    `scilab -e 'unix("rm -rf ~")'`,
    `rebol --do 'call "rm -rf ~"'`,
    `tjs eval 'tjs.spawn(["rm","-rf","/home/u"])'`,
    `wp eval 'system("rm -rf ~");'`,
    `vala <(echo 'void main() { Posix.system("rm -rf ~"); }')`,
    `instantfpc <(echo 'begin fpSystem("rm -rf ~"); end.')`,
  ])('%s', (text) => {
    expect(commandsOf(text)).toContain('rm -rf /home/u')
  })

  it.each([
    'coreutils --help',
    `ghci -e '1 + 1'`,
    `crystal eval 'puts "rm -rf ~"'`,
    `csi -e 'Console.WriteLine("rm", "-rf /home/u")'`,
    `wp option get siteurl`,
    'rush build --to web',
    `diff <(echo 'rm -rf ~') b`,
  ])('and nothing else: %s', (text) => {
    expect(commandsOf(text)).not.toContain('rm -rf /home/u')
  })
})

describe('a language without a scanner starts what it hands to a shell', () => {
  it.each([
    `newcalc --eval 'x = shell("rm -rf ~")'`,
    `newdebugger -ex 'shell rm -rf ~'`,
    `newdebugger -x 'pipe info | rm -rf ~'`,
    `newscript '(run-process "rm", "-rf", "/home/u")'`,
    `newmacro --text '%(rm -rf ~)'`,
    "newsh -e 'await $`rm -rf ~`'",
    `newmacro <<'EOF'\nesyscmd([rm -rf ~])\nEOF`,
    `echo '!rm -rf ~' | newclient -n host`,
    `rake -e 'sh "rm -rf ~"'`,
    `emacs --batch --eval '(shell-command "rm -rf ~")'`,
    `printf '1 2+p\n!rm -rf ~\n' | dc`,
    `lftp -e '!rm -rf ~; bye' host`,
    `smbclient //host/share -N -c 'cd x; !rm -rf ~'`,
    `rpm -qa --pipe 'rm -rf ~'`,
    `ex -sc '!rm -rf ~' -cq`,
    `bind -x '"\\C-t": rm -rf ~'`,
    `compgen -W '$(rm -rf ~)' a`,
    `bash --init-file <(echo 'rm -rf ~') -i -c :`,
    `awk 'BEGIN { print "rm -rf ~" | "/bin/sh" }'`,
    `awk -f - <<'EOF'\nBEGIN { c = "rm -rf ~"; c | getline }\nEOF`,
    `declare -F g >/dev/null || g() { rm -rf ~; }; g`,
  ])('%s', (text) => {
    expect(commandsOf(text)).toContain('rm -rf /home/u')
  })

  it.each([
    `newtracker --eval 'title = "rm -rf ~"'`,
    `newtracker note 'he ran system("rm -rf ~")'`,
    `echo 'rm -rf ~ is bad' | newcowsay`,
    `echo 'do not run rm -rf ~!' | mail -s warning a@b.c`,
    `emacs --batch --eval '(message "rm -rf ~")'`,
  ])('and nothing else: %s', (text) => {
    expect(commandsOf(text)).not.toContain('rm -rf /home/u')
  })
})

it('an agent is known behind the program that starts it', () => {
  expect(commandsOf(`gh copilot -p 'say hello' --allow-all-tools`)).toContain('copilot -p say hello --allow-all-tools')
})

describe('words that name or describe a command start none', () => {
  it.each([
    'which rm',
    'man git push',
    'newmanager install git curl sudo',
    `gh issue create --title 'rm -rf ~ fails'`,
    `jira create "rm -rf in script"`,
    `newtracker add 'rm -rf ~ is what it ran'`,
    `newtracker --message 'rm -rf ~'`,
    `newtracker --body='git push --force fails'`,
    `newagent run 'execute in the shell: rm -rf ~'`,
    `git commit -m 'rm -rf ~'`,
    'echo -- rm -rf x',
    'virsh shutdown web',
    'adb reboot bootloader',
    'gh run view 12345',
    'grep -rn -- rm src',
    `cat notes.py | highlight --syntax python`,
  ])('%s', (text) => {
    const written = text.split(' | ').map((one) => one.split(' ')[0])
    expect(shellFacts(text, around).commands.map(({ program }) => program)).toEqual(written)
  })
})

describe('a program is known by its origin', () => {
  it.each([
    'cp /bin/rm ./z; ./z -rf ~',
    'cp "$(which rm)" z && chmod +x z && ./z -rf ~',
    'ln -s /usr/bin/rm /tmp/notes.txt; /tmp/notes.txt -rf ~',
    'ln /usr/bin/rm t/lint; t/lint -rf ~',
    'install -m 755 /bin/rm ./fmt; nohup ./fmt -rf ~',
    'dd if=/bin/rm of=/tmp/d status=none; /tmp/d -rf ~',
    'cat /bin/rm > ./r2; ./r2 -rf ~',
    'rsync /bin/rm node_modules/.bin/prettier; npx prettier -rf ~',
    `cp /proc/self/exe /tmp/me; /tmp/me -c 'rm -rf ~'`,
    'cp /bin/rm a1; mv a1 b1; ./b1 -rf ~',
  ])('%s', (text) => {
    expect(commandsOf(text)).toContain('rm -rf /home/u')
  })
})

describe('a file that the text makes is followed to what runs it', () => {
  it.each([
    `echo 'rm -rf ~' > a.txt; cp a.txt b.sh; sh b.sh`,
    `echo 'rm -rf ~' >> build.sh; bash build.sh`,
    `echo 'rm -rf ~' | tee -a build.sh; bash build.sh`,
    `echo 'rm -rf ~' > a.txt; mv a.txt /tmp/b; timeout 9 sh /tmp/b`,
    `echo 'rm -rf ~' > a.txt; ln -s "$PWD/a.txt" /tmp/l; bash /tmp/l`,
    `echo 'rm -rf ~' | sed -n 'w /tmp/w.sh'; sh /tmp/w.sh`,
    `echo 'rm -rf ~' | awk '{print > "/tmp/k.sh"}'; . /tmp/k.sh`,
    `python3 -c 'open("/tmp/q.sh","w").write("rm -rf ~\\n")' && sh /tmp/q.sh`,
    `node -e 'require("fs").writeFileSync("/tmp/n.sh", process.argv[1])' 'rm -rf ~'; sh /tmp/n.sh`,
    `sed -i '1i rm -rf ~' run.sh && ./run.sh`,
    `s=$(mktemp); echo 'rm -rf ~' > "$s"; sh "$s"`,
    `echo 'rm -rf ~' > /dev/shm/a; (cd /dev/shm && sh a)`,
    `git apply - <<'EOF'; sh o.sh\n+++ b/o.sh\n@@ -0,0 +1 @@\n+rm -rf ~\nEOF`,
    `printf 'all:\\n\\trm -rf ~\\n' > Makefile && make`,
    `printf '{"scripts":{"test":"rm -rf ~"}}' > package.json; npm test`,
    `echo 'rm -rf ~' > a; cp a b; sh < b`,
    `npm pkg set scripts.lint='rm -rf ~' && npm run lint`,
    `printf 'tasks:\\n  x:\\n    cmds:\\n      - rm -rf ~\\n' > Taskfile.yml; task x`,
    `echo 'import os; os.system("rm -rf ~")' > conftest.py && pytest -q`,
    `echo 'import subprocess; subprocess.run(["rm","-rf","/home/u"])' > conftest.py && pytest -q`,
    `printf 'Match exec "rm -rf ~"\\n' > /tmp/sc; ssh -F /tmp/sc h true`,
    `echo 'credential_process = rm -rf ~' > /tmp/c; AWS_CONFIG_FILE=/tmp/c aws sts get-caller-identity`,
    `echo 'ProxyCommand rm -rf ~' > c; ssh -F c h`,
    `printf 'Host x\\n  LocalCommand rm -rf ~\\n' > c; scp -F c a x:`,
    `echo 'KnownHostsCommand = rm -rf ~' > c && sftp -F c x`,
    `echo 'run-shell "rm -rf ~"' > t; tmux -f t new -d`,
    `echo 'if-shell "rm -rf ~" x' > t; tmux source-file -q t`,
    `echo 'exec rm -rf ~' > s; screen -c s`,
    `echo '!rm -rf ~' > l; lftp -f l`,
    `printf 'script-security 2\\nup "rm -rf ~"\\n' > o; openvpn --config o`,
    `printf 'fn main(){Command::new("rm").args(["-rf","/home/u"]).spawn();}' > build.rs; cargo build`,
    `printf 'fn main(){Command::new("rm").arg("-rf").arg("/home/u").spawn();}' > build.rs; cargo test`,
  ])('%s', (text) => {
    expect(commandsOf(text)).toContain('rm -rf /home/u')
  })

  it.each([
    `gcc -xc - -o /tmp/a <<'EOF' && /tmp/a\nint main(){return system("rm -rf ~");}\nEOF`,
    `printf 'fn main(){std::process::Command::new("sh").args(["-c","rm -rf ~"]);}' > m.rs; rustc -o m m.rs && ./m`,
    `echo 'class A{void f(){Runtime.getRuntime().exec("rm -rf ~");}}' > A.java; javac A.java && java A`,
    `printf 'call system("rm -rf ~")\\nend\\n' > f.f90; gfortran -o f f.f90 && ./f`,
    `echo 'discard execCmd("rm -rf ~")' > n.nim; nim r n.nim`,
  ])('also where it is compiled: %s', (text) => {
    expect(commandsOf(text)).toContain('rm -rf /home/u')
  })

  it.each([
    `printf 'clean:\\n\\trm -rf $(BUILD)\\n' > Makefile && make clean`,
    `cat > README.md <<'E'\nrm -rf ~ deletes all\nE\nnpm test`,
    `cat > Dockerfile <<'E'\nRUN rm -rf /var/lib/apt/lists/*\nE\nnpm run build`,
    `cat > t.test.ts <<'E'\nexpect(judge('rm -rf ~')).toBe('deny')\nE\nnpx vitest run`,
    `printf '#!/bin/sh\n${'git status -s\n'.repeat(70)}' > t.sh; chmod +x t.sh; ./t.sh`,
    `cat > k.py <<'E'\n# rm -rf ~ would be bad\nprint(1)\nE\npytest`,
    `echo 'rm -rf ~' > notes.sh; cat notes.sh`,
    `echo 'rm -rf ~' > notes.sh; git add notes.sh`,
  ])('and no further: %s', (text) => {
    const { commands, uncertain } = shellFacts(text, around)
    expect(uncertain).toEqual([])
    expect(
      commands
        .flatMap(({ paths }) => paths)
        .filter(({ access, absolute }) => access === 'delete' && absolute === '/home/u'),
    ).toEqual([])
    expect(commands.flatMap(({ uncertain: one }) => one)).toEqual([])
  })
})
