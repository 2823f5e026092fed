/**
 * Names of one option, where a program has several: `m message`. Those in front hold for the whole program; those behind
 * a subcommand, or several, for these, and behind `.` for what stands before a subcommand. Taken from the programs' own
 * help, and from completions of 2025 (`@withfig/autocomplete`, MIT licence, Copyright (c) 2021 Hercules Labs Inc.). In a
 * program's row, a letter before a longer name that begins with it is the same option, and need not be here.
 */
export const optionGroups: Readonly<Record<string, string>> = {
  act: `
    C directory, P platform, W workflows, a actor, b bind, e eventpath, g graph, h help, j job, l list, n dryrun, p
    pull, q quiet, r reuse, s secret, v verbose, w watch`,
  ag: `
    0 null print0, A after, B before, C context, D debug, F fixed-strings, G file-search-regex, H heading, L
    files-without-matches, Q literal, S smart-case, U skip-vcs-ignores, V version, a all-types, c count, f follow, i
    ignore-case, l files-with-matches, m max-count, n norecurse, o only-matching, p path-to-ignore, passthrough
    passthru, r recurse, s case-sensitive, t all-text, u unrestricted, v invert-match, w word-regexp, z search-zip`,
  ansible: `
    B background, C check, D diff, K ask-become-pass, M module-path, P poll, T timeout, a args, b become, c connection,
    e extra-vars, f forks, h help, i inventory, k ask-pass, l limit, m module-name, o one-line, private-key key-file, t
    tree, u user, v verbose`,
  'ansible-playbook': `
    C check, D diff, K ask-become-pass, M module-path, T timeout, b become, c connection, e extra-vars, f forks, h help,
    i inventory, k ask-pass, l limit, private-key key-file, t tags, u user, v verbose`,
  ant: `
    S silent, d debug, e emacs, f buildfile file, h help, k keep-going, l logfile, p projecthelp, q quiet, s find, v
    verbose`,
  apt: 'd download-only, f fix-broken, h help, s simulate, v version',
  asciinema: `
    c command, e env, h help, q quiet, s speed, t title, y yes; rec: i idle-time-limit; play: i idle-time-linit`,
  'asdf cdk jenv lima mdfind ni nu sftp traceroute vi vim': 'h help',
  atuin: `
    V version, b before, h help, i interactive, k key, n namespace, o out-dir, r reverse, u username; history end: e
    exit; history list: c cwd, f format, s session; history last: f format; stats: c count; search: c cwd, e exit, f
    format; sync: f force; account login | login: p password; account register | register: e email, p password; server
    start: p port; gen-completions: s shell`,
  'aws-vault': 'd duration, f force, n no-session, t mfa-token',
  az: 'g resource-group, h help, l location, n name, o output, y yes',
  babel: `
    D copy-files, V version, d out-dir, f filename, h help, o out-file, s source-maps, w watch, x extensions`,
  'base32 basenc': 'd decode, h help, i ignore-garbage, w wrap',
  base64: 'b break, h help, i input, o output',
  bat: `
    A show-all, H highlight-line, L list-languages, V version, d diff, f force-colorization, h help, l language, m
    map-syntax, n number, p plain, r line-range, u unbuffered`,
  bc: 'h help, i interactive, l mathlib, q quiet, s standard, v version, w warn',
  black: `
    C skip-magic-trailing-comma, S skip-string-normalization, W workers, c code, h help, l line-length, q quiet, t
    target-version, v verbose`,
  brew: `
    D audit-debug, d debug, f force, g git, h help, i interactive, n dry-run, p installed-as-dependency, q quiet, v
    verbose; abv | edit | home | homepage | info | list: cask casks; leaves: r installed-on-request; upgrade: cask
    casks, s build-from-source; install | reinstall: s build-from-source`,
  'browser-sync': `
    b browser, c config, f files, o output, s server, serveStatic ss, u url, w watch; start: p proxy; reload: p port`,
  bun: `
    b bun, c config, e external, g global, l loader, r preload, t test-name-pattern, u origin, v version; a | add | i |
    install | remove | rm | update: f force, p production, y yarn; build | bun | test: d define, h help, p port; init: y
    yes`,
  bundle: `
    F format, R requirements, V verbose, b exe bin, e edit, f file, parseable porcelain, t test, v version; .: r retry;
    install: force redownload; update: force redownload, g group, j jobs; add: g group, s source; viz: W without`,
  cargo: `
    d duplicates, e edges, h help, i invert, j jobs, p package, q quiet, s sync, v verbose; .: V version; b | build | c
    | check | clean | d | doc | fix | r | run | rustc | rustdoc | t | test: r release; install: f force; owner: a add, l
    list, r remove; package: l list; tree: V version, a all, f format; update: w workspace; add: F features`,
  cf: `
    h help; push: n host-name, o docker-image; bind-route-service | create-route | delete-route | map-route |
    unbind-route-service | unmap-route: n hostname`,
  clojure: 'e eval, h ? help, i init, m main, r repl',
  cloudflared: `
    F features, allow-request ar, c comment, credentials-file cred-file, exclude-name-prefix enp,
    filter-network-is-subset-of nsub, filter-network-is-superset-of nsup, h help, name-prefix np, o output,
    show-recently-disconnected rd, transport-loglevel proto-loglevel, vnet vn, w when; . | tunnel route dns: f
    overwrite-dns; access rdp | access smb | access ssh | access tcp: L url listener, T hostname tunnel-host,
    log-directory logfile, log-level loglevel, service-token-id id, service-token-secret secret; tunnel: f
    overwrite-dns, n name; tunnel create: s secret; tunnel vnet add: d default; tunnel vnet update: d default, n name;
    tunnel cleanup | tunnel delete | tunnel run | tunnel token: f force; tunnel list: d show-deleted, i id, n name`,
  cmake: 'j parallel, r R, t target, v verbose',
  code: 'a add, d diff, g goto, h help, m merge, n new-window, r reuse-window, s status, v version, w wait',
  conda: `
    C use-index-cache, S satisfied-skip-solve, V version, h help, k insecure, m mkdir, o output-dir, prepend add, q
    quiet, t tarballs, u untracked, v verbose, w which, y yes; clean: a all, c tempfiles, d dry-run, f force-pkgs-dirs,
    i index-cache, p packages; compare | run: n name, p prefix; create: c channel, d dry-run, n name, p prefix; info: a
    all, e envs, s system; install | update | upgrade: c channel, d dry-run, n name, p prefix, update-all all; list: c
    canonical, e export, f full-name, n name, p prefix, r revisions; package: n name, p prefix, r reset; remove |
    uninstall: c channel, d dry-run, force-remove force, n name, p prefix; search: c channel, i info, subdir platform;
    convert: d dependencies, f force, p platform`,
  cosign: `
    a annotations, d verbose, h help, m maintainers, p password, r recursive, t timeout, u username; attest | clean |
    copy | sign: f force; dockerfile verify | help dockerfile verify | help manifest verify | manifest verify | verify |
    verify-attestation: o output; help upload blob | upload blob: f files; help upload wasm | upload wasm: f file`,
  croc: 'c code, h help, t text, v version',
  curl: `
    # progress-bar, 0 http1, 1 tlsv1, 2 sslv2, 3 sslv3, 4 ipv4, 6 ipv6, A user-agent, B use-ascii, C continue-at, D
    dump-header, E cert, F form, G get, H header, I head, J remote-header-name, K config, L location, M manual, N
    no-buffer, O remote-name, P ftp-port, Q quote, R remote-time, S show-error, T upload-file, U proxy-user, V version,
    X request, Y speed-limit, Z parallel, a append, b cookie, c cookie-jar, d data, e referer, f fail, g globoff, h
    help, i include, j junk-session-cookies, k insecure, l list-only, m max-time, n netrc, o output, p proxytunnel, q
    disable, r range, s silent, t telnet-option, u user, v verbose, w write-out, x proxy, y speed-time, z time-cond`,
  dart: `
    D define, S save-debugging-info, h help, i indent, l line-length, m minified, n dry-run, o output, p packages, t
    template, x executable; . | format | migrate | pub: v verbose; pub add: d dev; pub cache add: v version; pub deps: s
    style; pub global activate: s source, u hosted-url; pub publish: f force`,
  deno: `
    A allow-all, L log-level, T ts, c config, f force, h help, j jobs, n name, p print, q quiet, r reload; .: V version;
    compile: o output`,
  diff: `
    B ignore-blank-lines, D ifdef, E ignore-tab-expansion, F show-function-line, I ignore-matching-lines, N new-file, S
    starting-file, T initial-tab, W width, X exclude-from, a text, b ignore-space-change, c C context, d minimal, e ed,
    i ignore-case, l paginate, n rcs, p show-c-function, q brief, r recursive, s report-identical-files, t expand-tabs,
    u U unified, v version, w ignore-all-space, x exclude, y side-by-side`,
  docker: `
    sbom: o output, v version; context | context create | context create aci | context create ecs | context export |
    context import | context show | context update | context use: h help; context list: h help, q quiet; buildx bake: f
    file; buildx build: c cpu-shares, f file, m memory, o output, q quiet, t tag; buildx imagetools create: f file, t
    tag; builder prune | buildx prune | image prune | system prune | volume prune: a all, f force; buildx rm | container
    prune | context rm | image rm | network disconnect | network prune | network rm | node rm | plugin disable | plugin
    rm | rmi | swarm leave | volume rm: f force; .: D debug, H host, c context, l log-level, v version; container run |
    run: P publish-all, a attach, c cpu-shares, d detach, e env, h hostname, i interactive, l label, m memory, p
    publish, q quiet, t tty, u user, v volume, w workdir; container exec | exec: d detach, e env, i interactive, t tty,
    u user, w workdir; container ls | ps: a all, f filter, l latest, n last, q quiet, s size; build | builder build |
    image build: c cpu-shares, f file, m memory, q quiet, t tag; image pull | image push | pull | push: a all-tags, q
    quiet; image ls | images: a all, f filter, q quiet; login: p password, u username; events | search | system events:
    f filter; compose version | config inspect | context inspect | image inspect | info | node inspect | plugin inspect
    | secret inspect | service inspect | system info | version | volume inspect: f format; commit | container commit: a
    author, c change, m message, p pause; container cp | cp: L follow-link, a archive, q quiet; container create |
    create: P publish-all, a attach, c cpu-shares, e env, h hostname, i interactive, l label, m memory, p publish, q
    quiet, t tty, u user, v volume, w workdir; container export | export | image save | save: o output; container
    inspect | inspect: f format, s size; compose kill | container kill | kill: s signal; container logs | logs | service
    logs: f follow, n tail, t timestamps; container restart | container stop | restart | stop: s signal, t timeout;
    container rm | rm: f force, l link, v volumes; container start | start: a attach, i interactive; compose ls |
    compose ps | container stats | stats: a all; container update | update: c cpu-shares, m memory; context ls | swarm
    join-token | swarm unlock-key: q quiet; history | image history: H human, q quiet; image import | import: c change,
    m message; image load | load: i input, q quiet; manifest create: a amend; manifest inspect | system df: v verbose;
    manifest push: p purge; network create | volume create: d driver, o opt; network inspect: f format, v verbose;
    config ls | network ls | node ls | node ps | plugin ls | secret ls | service ls | service ps | stack ps | stack
    services | volume ls: f filter, q quiet; trust revoke: y yes; config create: l label; secret create: d driver, l
    label; service create: d detach, e env, l label, p publish, q quiet, t tty, u user, w workdir; service rollback |
    swarm ca: d detach, q quiet; service scale | stack rm: d detach; service update: d detach, q quiet, t tty, u user, w
    workdir; stack config: c compose-file; stack deploy: c compose-file, d detach, q quiet; compose: L follow-link, T
    no-TTY, V renew-anon-volumes, d detach, e env, f file, i interactive, l label, m memory, o output, p project-name, q
    quiet, u user; compose cp: a archive; compose down: t timeout, v volumes; compose exec: t tty, w workdir; compose
    logs: f follow, t timestamps; compose restart | compose stop | compose up: t timeout; compose rm: a all, f force, s
    stop, v volumes; compose run: p publish, t tty, v volume, w workdir`,
  'docker-compose': `
    L follow-link, T no-TTY, V renew-anon-volumes, d detach, e env, i interactive, l label, m memory, o output, q quiet,
    u user; .: f file, p project-name; cp: a archive; down: t timeout, v volumes; exec: t tty, w workdir; kill: s
    signal; logs: f follow, t timestamps; ls | ps: a all; restart | stop | up: t timeout; rm: a all, f force, s stop, v
    volumes; run: p publish, t tty, v volume, w workdir; version: f format`,
  doctl: 'c config, h help, o output, t access-token, u api-url, v verbose',
  dog: '1 short, H https, J json, S tls, T tcp, U udp, n nameserver, q query, t type',
  doggo: '4 ipv4, 6 ipv6, J json, c class, h help, n nameserver, q query, t type, x reverse',
  doppler: 'c config, e environment, f force, h help, n number, p project, t token, v version, y yes',
  'dos2unix unix2dos': `
    D display-enc, F follow-symlink, L license, R replace-symlink, S skip-symlink, V version, b keep-bom, c convmode, f
    force, gb gb18030, h help, k keepdate, l newline, m add-bom, o oldfile, q quiet, r remove-bom, s safe, u keep-utf16,
    ub assume-utf16be, ul assume-utf16le, v verbose`,
  dotenv: 'h help, t template, v version',
  dotnet: '? h help, d diagnostics, v verbosity',
  dpkg: `
    B auto-deconfigure, L listfiles, R recursive, S search, U check-unpacked, W show, a all, b binary, d unmet, h help,
    i check-installed, l list, m maintainer, p print-avail, r reverse, s status, sa source, uc unsigned-changes, us
    unsigned, v version; builddeb: c changes; check: c nocheck`,
  dprint: 'c config, h help, y yes',
  eb: `
    a all, c cname, k keyname, l label, m message, o keep_open, p platform, r region, v verbose; init: i interactive;
    clone: n clone_name; ssh: i instance, n number`,
  'elixir iex': 'e eval, h help, v version',
  emacs: 'Q quick, daemon bg-daemon, file find-file visit, q no-init-file, t terminal, u user',
  envchain: 'P no-require-passphrase, n noecho, p require-passphrase',
  eslint: 'c config, f format, h help, o output-file, v version',
  exa: `
    1 oneline, ? help, @ extended, B bytes, D only-dirs, F classify, G grid, H links, I ignore-glob, L level, R recurse,
    S blocks, T tree, U created, a all, b binary, colour color, colour-scale color-scale, d list-dirs, g group, h
    header, i inode, l long, m modified, r reverse, s sort, t time, u accessed, v version, x across`,
  eza: `
    1 oneline, ? help, @ extended, A almost-all, B bytes, D only-dirs, F classify, G grid, H links, I ignore-glob, L
    level, M mounts, O flags, R recurse, S blocksize, T tree, U created, X dereference, Z context, a all, b binary,
    color colour, color-scale colour-scale, color-scale-mode colour-scale-mode, d list-dirs, f only-files, g group, h
    header, i inode, l long, m modified, n numeric, o octal-permissions, r reverse, s sort, t time, u accessed, v
    version, w width, x across`,
  fd: `
    0 print0, E exclude, H hidden, I no-ignore, L follow, S size, V version, X exec-batch, a absolute-path, c color, d
    max-depth, e extension, g glob, h help, i ignore-case, l list-details, p full-path, s case-sensitive, t type, x exec`,
  fdisk: `
    B protect-boot, C cylinders, H heads, L color, S sectors, V version, W wipe-partitions, b sector-size, c
    compatibility, h help, l list, n noauto-pt, o output, s getsz, t type, u units, w wipe, x list-details`,
  file: `
    0 print0, C compile, F separator, I mime, L dereference, P parameter, Z uncompress-noreport, b brief, c
    checking-printoug, e exclude, f files-from, h no-dereference, k keep-going, l list, m magic-file, n no-buffer, p
    preserve-data, r raw, v version, z uncompress`,
  firebase: `
    a package-name, b bundle-id, e expires, h help, i input, l location, m message, r recursive, v version-number;
    apps:create: s app-store-id; database:profile: d duration, o output; database:push: d data; database:remove: y
    confirm; database:set | database:update: d data, y confirm; deploy: f force, p public; experimental:functions:shell
    | functions:shell: p port; ext:uninstall | hosting:channel:delete | hosting:sites:delete: f force; firestore:delete:
    y yes; functions:log: n lines; hosting:disable: s site, y confirm; projects:create: f folder, n display-name, o
    organization; remoteconfig:get: o output; serve: o host, p port`,
  'fly flyctl': `
    C command, a app, c config, e env, h help, j json, q quiet, t access-token, u username, v volume, y yes; apps create
    | apps move | create | move: o org; apps restart | m remove | m rm | machine remove | machine rm | machines remove |
    machines rm: f force; auth login: i interactive; checks handlers create: o organization; deploy: i image, r region;
    dig: o org, s short; info: n name; logs: i instance, r region; m clone | machine clone | machines clone: d detach, n
    name, o org, r region; m run | machine run | machines run: d detach, n name, p port, r region, s size; m stop |
    machine stop | machines stop: s signal; ping: i interval, n count, o org, s size; proxy: o org, s select; ssh
    console: p probe, r region, s select; ssh issue: d dotssh, o overwrite; version: s saveinstall; vol create | volumes
    create: r region, s size`,
  'fnm playwright': 'V version, h help',
  fzf: '0 exit-0, 1 select-1, d delimiter, e exact, f filter, m multi, n nth, q query, x extended',
  gem: `
    A key-algorithm, B bulk-threshold, D check-development, K private-key, N no-document, P trust-policy, V verbose, c
    clear-all, h help, k key, o output, p http-proxy, q quiet, v version, w wrappers, x executables; cert: C
    certificate, R re-sign, a add, b build, d days, l list, r remove, s sign; check: a alien; contents: l lib-only, s
    spec-dir; dependency: R reverse-dependencies, b both, l local, r remote, s source; fetch: s source; generate_index:
    d directory; info: I no-installed, a all, e exact, i installed; lock: s strict; open: e editor; pristine: E
    env-shebang, i install-dir, n bindir; query: I no-installed, a all, b both, d details, e exact, i installed, l
    local, n name-matches, r remote, s source; search: I no-installed, a all, b both, d details, e exact, i installed, l
    local, r remote, s source; sources: a add, f force, l list, r remove, u update; uninstall: I ignore-dependencies, a
    all, i install-dir, n bindir; list: I no-installed, a all, b both, d details, e exact, i installed, l local, r
    remote, s source, u update-sources; owner: a add, r remove; which: a all, g gems-first; update: E env-shebang, f
    force, g file, i install-dir, n bindir`,
  gh: `
    A author, B base, H head, L limit, R repo, S search, g gitignore, h help, i interval, j job, n no-browser, q jq;
    alias set | completion: s shell; auth login: h hostname, s scopes, w web; auth logout | auth setup-git | auth
    status: h hostname; auth refresh: h hostname, s scopes; browse: b branch, c commit, p projects, s settings, w wiki;
    config get | config set: h host; gist create: d desc, f filename, p public, w web; gist edit: a add, f filename;
    gist view: f filename, r raw, w web; issue comment: F body-file, b body, e editor, w web; issue create: F body-file,
    a assignee, b body, l label, m milestone, p project, t title, w web; issue edit | pr edit: F body-file, b body, m
    milestone, t title; issue list: a assignee, l label, m milestone, s state, t template, w web; issue status: t
    template; issue view: c comments, t template, w web; pr checks | project view: w web; pr close: d delete-branch; pr
    comment: b body, e editor, w web; pr create: a assignee, b body, d draft, f fill, l label, m milestone, p project, r
    reviewer, t title, w web; pr list: a assignee, l label, s state, w web; pr merge: b body, d delete-branch, m merge,
    r rebase, s squash, t subject; pr review: a approve, b body, c comment, r request-changes; pr view: c comments, w
    web; repo archive | repo delete | repo rename: y confirm; repo clone: u upstream-remote-name; repo create: c clone,
    d description, h homepage, l license, p template, r remote, s source, t team, y confirm; repo deploy-key add: t
    title, w allow-write; repo edit: d description, h homepage; repo list: l language, t template; repo set-default: u
    unset, v view; repo sync: b branch, s source; repo view: b branch, t template, w web; run list: w workflow; run
    view: v verbose, w web; secret list | secret remove: e env, o org; secret set: b body, e env, f env-file, o org, r
    repos, v visibility; ssh-key add: t title; workflow list: a all; workflow run: F field, f raw-field, r ref; workflow
    view: r ref, w web, y yaml; codespace code | cs code: c codespace, w web; codespace cp | cs cp: c codespace, e
    expand, p profile, r recursive; codespace create | cs create: b branch, d display-name, l location, m machine, s
    status; codespace delete | cs delete: c codespace, f force, o org, r repo, u user; codespace edit | cs edit: c
    codespace, d display-name, m machine; codespace jupyter | codespace ports forward | codespace ports visibility |
    codespace rebuild | cs jupyter | cs ports forward | cs ports visibility | cs rebuild: c codespace; codespace list |
    cs list: o org, t template, u user; codespace logs | cs logs: c codespace, f follow; codespace ports | cs ports: c
    codespace, t template; codespace ssh | cs ssh: c codespace, d debug; codespace stop | cs stop: c codespace, o org, u
    user; project edit: d description; api: F field, H header, X method, f raw-field, i include, p preview, t template;
    release create: F notes-file, d draft, n notes, p prerelease, t title; release delete: y yes`,
  git: `
    .: p paginate; cherry | fsck | fsck-objects | remote | verify-commit | verify-tag | worktree list: v verbose; remote
    set-head: a auto, d delete; remote update: p prune; stash push: a all, k keep-index, m message, p patch, u
    include-untracked; stash save: a all, k keep-index, p patch, u include-untracked; stash store: m message; submodule
    add | submodule deinit | update-server-info | worktree move | worktree remove: f force; submodule update: N
    no-fetch, f force; submodule set-branch: b branch, d default; worktree add: d detach, f force; prune | worktree
    prune: n dry-run, v verbose; add | stage: A all, N intent-to-add, e edit, f force, i interactive, n dry-run, p
    patch, u update, v verbose; am: 3 3way, S gpg-sign, c scissors, i interactive, k keep, m message-id, q quiet, r
    resolved, s signoff, u utf8; annotate | blame | pickaxe: e show-email, f show-name, n show-number, p porcelain;
    apply: 3 3way, N intent-to-add, R reverse, q quiet, v verbose; archive: l list, o output, v verbose; branch: a all,
    c copy, d delete, f force, i ignore-case, l list, m move, q quiet, r remotes, t track, u set-upstream-to, v verbose;
    bugreport | diagnose: o output-directory, s suffix; check-attr | merge-base: a all; check-ignore: n non-matching, q
    quiet, v verbose; checkout: 2 ours, 3 theirs, d detach, f force, m merge, p patch, q quiet, t track; checkout-index:
    a all, f force, n no-create, q quiet, u index; cherry-pick | revert: S gpg-sign, X strategy-option, e edit, m
    mainline, n no-commit, s signoff; clean: e exclude, f force, i interactive, n dry-run, q quiet; clone: 4 ipv4, 6
    ipv6, b branch, c config, j jobs, l local, n no-checkout, o origin, q quiet, s shared, u upload-pack, v verbose;
    commit: C reuse-message, F file, S gpg-sign, a all, c reedit-message, e edit, i include, m message, n no-verify, o
    only, p patch, q quiet, s signoff, t template, u untracked-files, v verbose, z null; commit-tree: S gpg-sign;
    config: e edit, f file, l list, t type, z null; count-objects: H human-readable, v verbose; diff | range-diff: B
    break-rewrites, C find-copies, D irreversible-delete, I ignore-matching-lines, M find-renames, U unified, W
    function-context, X dirstat, a text, b ignore-space-change, p patch, s no-patch, w ignore-all-space; difftool: d
    dir-diff, g gui, t tool, x extcmd, y no-prompt; fetch: 4 ipv4, 6 ipv6, P prune-tags, a append, f force, j jobs, k
    keep, m multiple, o server-option, p prune, q quiet, t tags, u update-head-ok, v verbose; fmt-merge-msg: F file, m
    message; for-each-ref: p perl, s shell; format-patch: N no-numbered, k keep-subject, n numbered, o output-directory,
    p no-stat, q quiet, s signoff, v reroll-count; gc | log | pack-objects | show | whatchanged: q quiet; grep: A
    after-context, B before-context, C context, E extended-regexp, F fixed-strings, G basic-regexp, L
    files-without-match, O open-files-in-pager, P perl-regexp, W function-context, a text, c count, i ignore-case, l
    files-with-matches, m max-count, n line-number, o only-matching, p show-function, q quiet, r recursive, v
    invert-match, w word-regexp, z null; help: a all, c config, g guides, i info, m man, v verbose, w web; init |
    init-db: b initial-branch, q quiet; ls-files: X exclude-from, c cached, d deleted, i ignored, k killed, m modified,
    o others, s stage, u unmerged, x exclude; ls-remote: h heads, o server-option, q quiet, t tags; ls-tree: l long;
    mailinfo: m message-id; merge: F file, S gpg-sign, X strategy-option, e edit, m message, q quiet, s strategy, v
    verbose; merge-file: p stdout, q quiet; mv: f force, n dry-run, v verbose; prune-packed: n dry-run, q quiet; pull: 4
    ipv4, 6 ipv6, S gpg-sign, X strategy-option, a append, f force, j jobs, k keep, o server-option, p prune, q quiet, r
    rebase, s strategy, t tags, v verbose; push: 4 ipv4, 6 ipv6, d delete, f force, n dry-run, o push-option, q quiet, u
    set-upstream, v verbose; quiltimport: n dry-run; read-tree: n dry-run, q quiet, v verbose; rebase: S gpg-sign, X
    strategy-option, f force-rebase, i interactive, m merge, n no-stat, q quiet, r rebase-merges, s strategy, v verbose,
    x exec; repack: b write-bitmap-index, g geometric, i delta-islands, k keep-unreachable, l local, m write-midx, q
    quiet; replace: d delete, e edit, f force, g graft, l list; reset: N intent-to-add, p patch, q quiet; restore: 2
    ours, 3 theirs, S staged, W worktree, m merge, p patch, q quiet, s source; rm: f force, n dry-run, q quiet;
    send-pack: f force, n dry-run, q quiet, v verbose; shortlog: c committer, e email, n numbered, s summary;
    show-branch: a all, g reflog, r remotes; show-ref: d dereference, q quiet, s hash; status: M find-renames, b branch,
    s short, u untracked-files, v verbose, z null; stripspace: c comment-lines, s strip-comments; subtree: P prefix, b
    branch, h help, m message; switch: C force-create, c create, d detach, f force, m merge, q quiet, t track;
    symbolic-ref: d delete, q quiet; tag: F file, a annotate, d delete, e edit, f force, i ignore-case, l list, m
    message, s sign, u local-user, v verify; update-index: g again; verify-pack: s stat-only, v verbose; stash: a all, k
    keep-index, m message, p patch, q quiet, u include-untracked; notes | notes add: F file, f force, m message`,
  gpg: `
    N notation-data, a armour, i interactive, n dry-run, o output, q quiet, r recipient, t textmode, u local-user, v
    verbose`,
  gradle: `
    ? h help, D system-prop, I init-script, P project-prop, S full-stacktrace, b build-file, c settings-file, d debug, g
    gradle-user-home, i info, p project-dir, q quiet, s stacktrace, v version, w warn`,
  grep: `
    A after-context, B before-context, C context, D devices, E extended-regexp, F fixed-string, G basic-regexp, H
    with-filename, J bz2decompress, L files-without-match, P perl-regexp, T initial-tab, U binary, V version, a text, b
    byte-offset, c count, d directories, e regexp, f file, h no-filename, l files-with-matches, m max-count, n
    line-number, o only-matching, q quiet silent, r recursive, s no-messages, u unix-byte-offsets, v invert-match, w
    word-regexp, x line-regexp`,
  gron: 'c colorize, h help, j json, k insecure, m monochrome, s stream, u ungron, v values',
  head: 'c bytes, n lines, q quiet silent, v verbose',
  helm: `
    A all-namespaces, c client, g generate-name, h help, i install, n namespace, o output, s show-only; create: p
    starter; get values: a all; install | lint | upgrade: f values; list | ls: a all, d date, f filter, l selector, m
    max, q short, r reverse; package: d destination, u dependency-update; fetch | pull: d destination; registry login: p
    password, u username; search repo: l versions, r regexp; template: a api-versions, f values`,
  helmfile: `
    b helm-binary, c chart, e environment, f file, h help, i interactive, l selector, n namespace, q quiet, v version`,
  htop: `
    C no-color, F filter, H highlight-changes, M no-mouse, U no-unicode, V version, d delay, h help, p pid, s sort-key,
    t tree, u user`,
  'http https': `
    A auth-type, F follow, I ignore-stdin, P history-print, S stream, a auth, b body, c continue, d download, f form, h
    headers, j json, o output, p print, q quiet, s style, v verbose, x compress`,
  hx: 'V version, g grammar, h help',
  hyperfine: `
    D parameter-step-size, L parameter-list, M max-runs, P parameter-scan, S shell, c cleanup, i ignore-failure, m
    min-runs, p prepare, r runs, s setup, u time-unit, w warmup`,
  iconv: 'f from-code, l list, t to-code',
  java: 'classpath cp, h ? help, showversion show-version',
  jest: `
    b bail, c config, e expand, i runInBand, o onlyChanged, t testNamePattern, u updateSnapshot, v version, w maxWorkers`,
  jq: `
    C color-output, M monochrome-output, R raw-input, S sort-keys, a ascii-output, c compact-output, e exit-status, f
    from-file, j join-output, n null-input, r raw-output, s slurp`,
  julia: `
    C cpu-target, E print, H home, J sysimage, L load, O optimize, e eval, h help, p procs, q quiet, t threads, v
    version`,
  jupyter: `
    py python; . | bundlerextension | kernel | kernelspec install | migrate | nbconvert | nbextension | notebook | run |
    serverextension | trust: h help`,
  just: `
    V version, c command, d working-directory, e edit, f justfile, h help, l list, q quiet, s show, u unsorted, v
    verbose`,
  keytool: 'h ? help',
  kind: 'A all, h help, q quiet, v verbosity',
  kitty: `
    1 single-instance, C config, T title, a all, c configured, d directory working-directory, h help, m match, o
    override, v version; @ detach-tab | @ detach-window: t target-tab; @ disable-ligatures: t match-tab`,
  'kubectl k oc kubecolor': `
    n namespace, s server; convert: R recursive, f filename; apply | apply view-last-applied | create | rollout history
    | rollout pause | rollout restart | rollout resume | rollout undo | scale | set image | set subject: R recursive, f
    filename, k kustomize, l selector, o output; api-resources | auth whoami | config get-contexts | config view |
    create clusterrole | create clusterrolebinding | create configmap | create cronjob | create ingress | create job |
    create namespace | create poddisruptionbudget | create priorityclass | create quota | create role | create
    rolebinding | create serviceaccount | create token | explain | version: o output; create deployment: o output, r
    replicas; expose: R recursive, f filename, k kustomize, l labels, o output; run: R recursive, f filename, i stdin, k
    kustomize, l labels, o output, q quiet, t tty; set env: R recursive, c containers, e env, f filename, k kustomize, l
    selector, o output; set resources: R recursive, c containers, f filename, k kustomize, l selector, o output; set
    selector: R recursive, f filename, o output; apply edit-last-applied | auth reconcile | autoscale | certificate
    approve | certificate deny | edit | replace | set serviceaccount: R recursive, f filename, k kustomize, o output;
    get: A all-namespaces, L label-columns, R recursive, f filename, k kustomize, l selector, o output, w watch; delete:
    A all-namespaces, R recursive, f filename, i interactive, k kustomize, l selector, o output; rollout status: R
    recursive, f filename, k kustomize, l selector, w watch; cluster-info dump: A all-namespaces, o output; cordon |
    drain | top node | uncordon: l selector; top pod: A all-namespaces, l selector; taint: l selector, o output;
    describe: A all-namespaces, R recursive, f filename, k kustomize, l selector; logs: c container, f follow, l
    selector, p previous; attach: c container, i stdin, q quiet, t tty; debug | exec: c container, f filename, i stdin,
    q quiet, t tty; proxy: P www-prefix, p port, u unix-socket, w www; cp: c container; auth can-i: A all-namespaces, q
    quiet; events: A all-namespaces, o output, w watch; diff: R recursive, f filename, k kustomize, l selector; apply
    set-last-applied: f filename, o output; patch: R recursive, f filename, k kustomize, o output, p patch; wait: A
    all-namespaces, R recursive, f filename, l selector, o output; kustomize: e env, o output; annotate | label: A
    all-namespaces, R recursive, f filename, k kustomize, l selector, o output`,
  ldd: 'd data-relocs, r function-relocs, u unused, v verbose',
  lerna: 'a all, c canary, h help, i independent, l long, m message, p parseable, v version',
  less: `
    # shift, ? help, A SEARCH-SKIP-SCREEN, B auto-buffers, C CLEAR-SCREEN, D color, E QUIT-AT-EOF, F quit-if-one-screen,
    G HILITE-SEARCH, I IGNORE-CASE, J status-column, K quit-on-intr, L no-lessopen, M LONG-PROMPT, N LINE-NUMBERS, O
    LOG-FILE, P prompt, Q QUIET SILENT, R RAW-CONTROL-CHARS, S chop-long-lines, T tag-file, U UNDERLINE-SPECIAL, V
    version, W HILITE-UNREAD, X no-init, a search-skip-screen, b buffers, c clear-screen, d dumb, e quit-at-eof, f
    force, g hilite-search, h max-back-scroll, i ignore-case, j jump-target, k lesskey-file, m long-prompt, n
    line-numbers, o log-file, p pattern, q quiet silent, r raw-control-chars, s squeeze-blank-lines, t tag, u
    underline-special, w hilite-unread, x tabs, y max-forw-scroll, z window`,
  limactl: 'h help, q quiet, r recursive, v version; delete | remove | rm | stop: f force; show-ssh: f format',
  lsblk: `
    D discard, E dedup, I include, J json, M merge, O output-all, P pairs, S scsi, T tree, V version, a all, b bytes, d
    nodeps, e exclude, f fs, h help, i ascii, l list, m perms, n noheadings, o output, r raw, s inverse, t topology, w
    width, x sort, z zoned`,
  lsd: `
    1 oneline, A almost-all, F classify, L dereference, R recursive, S sizesort, V version, X extensionsort, a all, d
    directory-only, h human-readable, i inode, l long, r reverse, t timesort, v versionsort`,
  lsof: '? h help',
  make: `
    B always-make, C directory, I include-dir, L check-symlink-times, N Next-option, R no-builtin-variables, W what-if
    new-file assume-new, e environment-overrides, f file makefile, h help, i ignore-errors, k keep-going, l
    load-average, o old-file, p print-data-base, q question, r no-builtin-rules, t touch, v version, w print-directory`,
  mamba: `
    C use-index-cache, S satisfied-skip-solve, V version, d dry-run, force-remove force, k insecure, l logfiles, m
    mkdir, n name, q quiet, s system, subdir platform, t tarballs, u untracked, v verbose, w which, y yes; .: h help;
    clean: a all, c tempfiles, f force-pkgs-dirs, i index-cache, p packages; compare: h help, p prefix; create | remove
    | uninstall: c channel, p prefix; info: a all, e envs; install | update | upgrade: c channel, p prefix, update-all
    all; list: c canonical, e export, f full-name, p prefix, r revisions; package: p prefix, r reset; run: p prefix;
    search: c channel, i info; repoquery depends | repoquery search | repoquery whoneeds: c channel`,
  man: 'F preformat, w path',
  minikube: `
    c cleanup, l layout, o output, u unset, w watch; start: n nodes; status: f format, n node; unpause: A
    all-namespaces, n namespaces; docker-env: A no-proxy; service list: n namespace; ip | ssh | ssh-host | ssh-key: n
    node; logs: f follow, n length`,
  mix: 'e eval, h help, p parallel, r require, v version',
  mkdir: 'Z context, m mode, p parents, v verbose',
  mongoimport: 'c collection, d db, f fields, h host, p password, u username, v verbose',
  mongosh: 'h help, p password, u username, v version',
  more: 'V version, c clean-print, d silent, f no-pause, l logical, n lines, p print-over, s squeeze, u plain',
  mosh: 'h help, p port',
  mount: `
    B bind, F fork, M move, O test-opts, R rbind, T fstab, V version, a all, c no-canonicalize, f fake, h help, i
    internal-only, l show-labels, m mkdir, n no-mtab, o options, r read-only, t types, v verbose, w rw read-write`,
  multipass: `
    d disk, g gid-map, h help, m mem, n name, p purge, t time, u uid-map, v verbose; launch: c cpus; stop: c cancel`,
  mvn: `
    B batch-mode, C strict-checksums, D define, N non-recursive, P activate-profiles, T threads, U update-snapshots, V
    show-version, X debug, also-make am, also-make-dependents amd, b builder, c lax-checksums, check-plugin-updates cpu,
    e errors, encrypt-master-password emp, encrypt-password ep, f file, fail-at-end fae, fail-fast ff, fail-never fn,
    global-settings gs, global-toolchains gt, h help, l log-file, legacy-local-repository llr, o offline, projects pl, q
    quiet, resume-from rf, s settings, t toolchains, update-plugins up, v version`,
  mysql: `
    ? help, A no-auto-rehash, B batch, C compress, D database, E vertical, G named-commands, H html, L
    skip-line-numbers, N skip-column-names, P port, S socket, T debug-info, U safe-updates i-am-a-dummy, V version, W
    pipe, X xml, b no-beep, c comments, e execute, f force, h host, i ignore-spaces, j syslog, n unbuffered, o
    one-database, p password, q quick, r raw, s silent, t table, u user, v verbose, w wait`,
  netlify: `
    B cookie, H header, X request, b branch, l live, q querystring, r replaceExisting, u url, w watch; addon:delete |
    addons:delete | lm:init | lm:install | sites:delete: f force; api: d data; build: o offline; completion |
    completion:generate | completion:generate:alias: s shell; deploy: a auth, d dir, f functions, m message, o open, p
    prod, s site; dev: c command, d dir, f functions, o offline, p port; function:build | functions:build: f functions,
    s src; function:create | functions:create: n name; function:trigger | functions:invoke: f functions, n name, p
    payload; function:list | functions:list: f functions, n name; function:server | functions:serve: f functions, o
    offline, p port; init: m manual; lm:setup: f force-install, s skip-install; sites:create: a account-slug, c with-ci,
    m manual, n name`,
  nmap: 'h help, v vv',
  node: 'c check, e eval, h help, i interactive, p print, v version',
  npm: `
    B save-bundle, D save-dev, E save-exact, O save-optional, P save-prod, a all, f force, g global, p parseable, w
    workspace, ws workspaces, y yes; find | help-search | list | ls | outdated | s | se | search: l long; r | remove |
    rm | un | uninstall | unlink: S save`,
  'npx pnpx': 'c call, h help, n node-arg, p package, q quiet, s shell, v version',
  'nx phpunit': 'c configuration',
  oci: 'h help, p profile',
  op: 'f force, h help, n no-newline, v version',
  open: 'F fresh, R reveal, W wait-apps, g background, h header, i stdin, j hide, n new, o stdout, u url',
  oxlint: 'A allow, D deny, V version, W warn, c config, f format, h help',
  pandoc: `
    A include-after-body, B include-before-body, C citeproc, D print-default-template, F filter, H include-in-header, L
    lua-filter, M metadata, N number-sections, T title-prefix, V variable, c css, d defaults, f r from read, h help, i
    incremental, o output, p preserve-tabs, s standalone, t w to write, toc table-of-contents, v version`,
  pg_dump: `
    ? help, B no-blobs, C create, E encoding, F format, N exclude-schema, O no-owner, S superuser, T exclude-table, U
    username, V version, W password, Z compress, a data-only, b blobs, c clean, column-inserts attribute-inserts, d
    dbname, e extension, f file, h host, j jobs, n schema, p port, s schema-only, t table, v verbose, w no-password`,
  pgcli: 'D dsn, U username, W password, d dbname, h host, l list, p port, u user, v version, w no-password',
  'pip pip3': `
    a algorithm, c constraint, d dest, e editable, l local, o outdated, r requirement, u uptodate; download | list: f
    find-links, i index-url; show: f files; search: i index`,
  pipenv: `
    c code, d dev, e editable, h help, r requirements, v verbose; check: i ignore; install | update: i index`,
  pipx: 'e editable, h help, i index-url; ensurepath | inject | upgrade | upgrade-all: f force',
  pkill: `
    F pidfile, G group, O older, P parent, U uid, V version, e echo, f full, g pgroup, h help, i ignore-case, n newest,
    o oldest, q queue, r runstates, s session, t terminal, u euid, x exact`,
  pm2: `
    V version, a update-env, c cron, e error, f force, i instances, k kill-timeout, l log, m mini-list, n name, o
    output, p pid, s silent, u user, w write, x execute-command`,
  pnpm: `
    E save-exact, L latest, h help, i interactive, v version, w workspace-root; -r | -r i | -r install | -r publish | -r
    t | -r test | -r tst | . | doctor | fetch | i | import | init | install | link | ln | m | m i | m install | m
    publish | m t | m test | m tst | multi | multi i | multi install | multi publish | multi t | multi test | multi tst
    | patch | patch-commit | patch-remove | prune | publish | recursive | recursive i | recursive install | recursive
    publish | recursive t | recursive test | recursive tst | server | server start | server status | server stop | start
    | store | store add | store path | store prune | store status | t | test | tst: C dir; -r add | add | m add | multi
    add | recursive add: C dir, D save-dev, O save-optional, P save-prod, g global; install-test | it: C dir, D
    save-dev, P save-prod; -r up | -r update | -r upgrade | m up | m update | m upgrade | multi up | multi update |
    multi upgrade | recursive up | recursive update | recursive upgrade | up | update | upgrade: C dir, D save-dev, P
    save-prod, r recursive; -r remove | -r rm | -r un | -r uninstall | m remove | m rm | m un | m uninstall | multi
    remove | multi rm | multi un | multi uninstall | recursive remove | recursive rm | recursive un | recursive
    uninstall | remove | rm | un | uninstall: C dir, D save-dev, O save-optional, P save-prod, r recursive; -r exec | -r
    rb | -r rebuild | -r run | -r run-script | -r unlink | exec | m exec | m rb | m rebuild | m run | m run-script | m
    unlink | multi exec | multi rb | multi rebuild | multi run | multi run-script | multi unlink | rb | rebuild |
    recursive exec | recursive rb | recursive rebuild | recursive run | recursive run-script | recursive unlink | run |
    run-script | unlink: C dir, r recursive; audit: C dir, D dev, P prod; -r list | -r ls | -r outdated | -r why | list
    | ls | m list | m ls | m outdated | m why | multi list | multi ls | multi outdated | multi why | outdated |
    recursive list | recursive ls | recursive outdated | recursive why | why: C dir, D dev, P prod, r recursive`,
  podman: `
    H human, L follow-link, P publish-all, e env, q quiet, w workdir; .: c connection, h help, v version; build | image
    build: f file, o output, t tag; commit: a author, c change, m message, p pause; compose cp | container cp | cp: a
    archive; container create | create: a attach, c cpu-shares, h hostname, i interactive, l label, m memory, p publish,
    t tty, u user, v volume; events | network ls | search | secret ls | system events | volume ls: f filter; container
    exec | exec: d detach, i interactive, t tty, u user; container export | export | image save | save: o output; image
    ls | images: a all, f filter; image import | import: c change, m message; compose version | info | secret inspect |
    system info | version | volume inspect: f format; container inspect | inspect: f format, s size; compose kill |
    container kill | kill: s signal; login: p password, u username; container logs | logs: f follow, n tail, t
    timestamps; container ls | ps: a all, f filter, l latest, n last, s size; image pull | image push | pull | push: a
    all-tags; container restart | restart: t time; container rm | rm: f force, l link, v volumes; container prune |
    image rm | network disconnect | network prune | rmi | volume prune | volume rm: f force; container run | run: a
    attach, c cpu-shares, d detach, h hostname, i interactive, l label, m memory, p publish, t tty, u user, v volume;
    container start | start: a attach, i interactive; compose ls | compose ps | container stats | stats: a all;
    container update | update: c cpu-shares, m memory; image prune | system prune: a all, f force; network create |
    volume create: d driver, o opt; network inspect: f format, v verbose; secret create: d driver, l label; system df: v
    verbose; compose: T no-TTY, V renew-anon-volumes, d detach, f file, i interactive, l label, m memory, o output, p
    project-name, u user; compose down: t timeout, v volumes; compose exec: t tty; compose logs: f follow, t timestamps;
    compose restart | compose stop | compose up: t timeout; compose rm: a all, f force, s stop, v volumes; compose run:
    p publish, t tty, v volume`,
  poetry: 'V version, h help, n no-interaction, q quiet, v verbose',
  prettier: 'c check, h help, l list-different, u ignore-unknown, v version, w write',
  prisma: 'b browser, h help, p port; studio: n hostname; migrate dev: n name; migrate reset: f force',
  ps: 'no-headers no-heading, o format',
  psql: `
    0 record-separator-zero, ? help, A no-align, E echo-hidden, F field-separator, H html, L log-file, P pset, R
    record-separator, S single-line, T table-attr, U username, V version, W password, X no-psqlrc, a echo-all, b
    echo-errors, c command, d dbname, e echo-queries, f file, h host, l list, n no-readline, o output, p port, q quiet,
    s single-step, t tuples-only, v set, w no-password, x expanded, z field-separator-zero`,
  pulumi: `
    C cwd, e emoji, g generate-only, h help, i show-ids, j json, l local, m message, n name, s stack, u show-urns, v
    verbose, y yes; about: t transitive; config cp: d dest; config refresh | stack import | stack rm: f force; destroy:
    d debug, f skip-preview, p parallel, r refresh, t target; import: d debug, f file, f skip-preview, o out, p
    parallel; login | logout: c cloud-url; logs: f follow, r resource; new: c config, d description, f force, o offline;
    plugin install: f file; plugin ls: p project; plugin rm: a all; policy new: f force, o offline; preview: c config, d
    debug, p parallel, r refresh, t target; refresh: d debug, f skip-preview, p parallel, t target; stack ls: a all, o
    organization, p project, t tag; up: c config, d debug, f skip-preview, p parallel, r refresh, t target; watch: c
    config, d debug, p parallel, r refresh`,
  pyenv: 'f force, g debug, h help, k keep, l list, p patch, s skip-existing, v verbose',
  pytest: `
    V version, W pythonwarnings, co collect-only, disable-warnings disable-pytest-warnings, failed-first ff, h help, l
    showlocals, last-failed lf, last-failed-no-failures lfnf, new-first nf, o override-ini, q quiet, stepwise sw,
    stepwise-skip sw-skip, v verbose, x exitfirst`,
  python: '? h help, V version',
  q: `
    c channel, h help, o os, r enable-rollout, t override-threshold, v verbose; .: V version; debug query-index: V
    variant, a architecture, e version, f file-type; debug get-index: d debug; _ local-state | internal local-state |
    setting | settings: d delete, f format; _ local-state all | diagnostic | diagnostics | integration status |
    integrations status | internal local-state all | setting all | settings all | telemetry status | user whoami |
    whoami: f format; uninstall: y no-confirm; update | upgrade: y non-interactive; issue: f force; doctor: a all, s
    strict; integration install | integration reinstall | integration uninstall | integrations install | integrations
    reinstall | integrations uninstall: s silent`,
  r: `
    a append, f file, g gui, h help, o output, os OS, q quiet silent, s no-echo, t type, v version; .: d debugger; CMD
    SHLIB: c clean, d debug, n dry-run; CMD INSTALL: c clean, d debug, l library; CMD REMOVE: l library; CMD check:
    library lib; CMD javareconf: n dry-run; CMD rtags: V verbose`,
  railway: 'V version, d detach, e environment, h help, n lines, s service, v verbose',
  rake: `
    I libdir, P prereqs, T tasks, V version, f rakefile, h H help, n dry-run, q quiet, r require, s silent, t trace, v
    verbose`,
  rclone: 'F format, M encrypted, d dir-slash, h help, s separator; lsd | lsf | lsjson: R recursive',
  rg: `
    0 null, A after-context, B before-context, C context, E encoding, F fixed-strings, H with-filename, I no-filename, L
    follow, M max-columns, N no-line-number, P pcre2, S smart-case, T type-not, U multiline, a text, b byte-offset, c
    count, e regexp, f file, g glob, j threads, l files-with-matches, m max-count, n line-number, o only-matching, p
    pretty, q quiet, r replace, s case-sensitive, t type, u unrestricted, v invert-match, w word-regexp, x line-regexp,
    z search-zip`,
  rm: 'r R',
  rollup: `
    c config, d dir, e external, f format, g globals, h help, i input, m sourcemap, n name, o file, p plugin, v version,
    w watch`,
  rsync: `
    0 from0, 4 ipv4, 6 ipv6, 8 8-bit-output, A acls, B block-size, C cvs-exclude, E executability, H hard-links, I
    ignore-times, J omit-link-times, K keep-dirlinks, L copy-links, O omit-dir-times, R relative, S sparse, W
    whole-file, X xattrs, a archive, b backup, c checksum, d dirs, delete-during del, e rsh, g group, i itemize-changes,
    k copy-dirlinks, l links, m prune-empty-dirs, n dry-run, o owner, p perms, q quiet, r recursive, s protect-args, t
    times, u update, v verbose, x one-file-system, y fuzzy, z compress; .: h help, h human-readable`,
  rubocop: `
    A autocorrect-all, C cache, D display-cop-names, E extra-details, F fail-fast, L list-target-files, P parallel, S
    display-style-guide, V verbose-version, a autocorrect, c config, d debug, f format, l lint, o out, r require, s
    stdin, v version, x fix-layout`,
  ruby: 'd debug, h help, v verbose, y yydebug',
  ruff: 'e exit-zero, n no-cache, o output-file, q quiet, s silent, v verbose, w watch; check: h help',
  rush: `
    I impacted-by-except, T to-except, a apply, b target-branch, h help, m make-consistent, n npm-auth-token, o only, r
    registry; .: d debug; add: p package, s skip-update; change: v verify; deploy: p project, s scenario, t
    target-folder; init-deploy: p project, s scenario; install: f from, i impacted-by, p purge, t to; link: f force;
    list: p path, v version; publish: c commit, p publish, t tag; update: p purge; update-cloud-credentials: d delete, i
    interactive; build: c changed-projects-only, f from, i impacted-by, p parallelism, t to, v verbose; rebuild: f from,
    i impacted-by, p parallelism, t to, v verbose`,
  rustc: 'A allow, C codegen, D deny, F forbid, V version, W warn, h help, v verbose',
  rustup: 'V version, c component, h help, q quiet, t target, v verbose',
  'rvm terragrunt tsx vale': 'h help, v version',
  sam: `
    a architecture, b build-dir, bi build-image, c cached, cd cache-dir, ef container-env-var-file, g guided, h help, i
    base-image, ii invoke-image, m manifest, o output-dir, r runtime, t template-file template, u use-container, v
    docker-volume-basedir; init: d dependency-manager, l location, n name, p package-type; build: e container-env-var, p
    parallel, s base-dir; local invoke: d debug-port, e event, l log-file, n env-vars; local start-api: d debug-port, l
    log-file, n env-vars, p port, s static-dir; local start-lambda: d debug-port, l log-file, n env-vars, p port`,
  scc: `
    M not-match, c no-complexity, d no-duplicates, f format, h help, i include-ext, l languages, o output, s sort, t
    trace, v verbose, w wide, z min-gen`,
  screen: 'list ls',
  seq: 'f format, s separator, t terminator, w fixed-width',
  serve: `
    C cors, S symlinks, c config, d debug, h help, l listen, n no-clipboard, s single, u no-compression, v version`,
  'serverless sls': `
    c config, d data, e env, f function, r region, s stage, u update-config, v verbose; deploy: h help, p package;
    deploy function | deploy list | deploy list functions | info: h help; invoke | invoke local: h help, p path`,
  sha1sum: 'b binary, c check, t text, w warn, z zero',
  shasum: `
    0 01, U UNIVERSAL, a algorithm, b binary, c check, h help, q quiet, s status, t text, v version, w warn`,
  shred: 'f force, n iterations, s size, v verbose, x exact, z zero',
  sort: `
    M month-sort, R random-sort, S buffer-size, T temporary-directory, V version-sort, b ignore-leading-blanks, d
    dictionary-order, f ignore-case, g general-numeric-sort, h human-numeric-sort, i ignore-nonprinting, k key, m merge,
    n numeric-sort, o output, r reverse, t field-separator, u unique, z zero-terminated`,
  sqlfluff: `
    c code-only, d dialect, e exclude-rules, f format, h help, i ignore, m include-meta, n nocolor, p processes, r
    rules, t templater, v verbose, x fixed-suffix`,
  stack: 'color colour, h help, j jobs, stack-colors stack-colours, v verbose',
  subl: 'a add, b background, h help, n new-window, s stay, v version, w wait',
  sudo: 'g group, h help, u user',
  svn: 'm message',
  swc: 'C config, D copy-files, d out-dir, f filename, o out-file, q quiet, s source-maps, w watch',
  swift: `
    C chdir, c configuration, force-resolved-versions disable-automatic-resolution only-use-versions-from-resolved-file,
    h help, n dry-run, s specifier; test: l list-tests; package: j jobs, v verbose; package archive-source: o output`,
  systemctl: `
    H host, M machine, T show-transaction, a all, f force, h help, l full, n lines, o output, p property, q quiet, r
    recursive, s signal, t type`,
  tac: 'b before, r regex, s separator',
  taplo: `
    V version, c config, f file-path, h help, s strip-newline; fmt | format: o option; get: o output-format`,
  'tar gtar bsdtar': `
    ? help, A catenate concatenate, B read-full-records, C directory, F info-script new-volume-script, G incremental, H
    format, I use-compress-program, J xz, K starting-file, L tape-length, M multi-volume, N newer after-date, O
    to-stdout, P absolute-names, R block-number, S sparse, T files-from, U unlink-first, V label, W verify, X
    exclude-from, Z compress uncompress, a auto-compress, b blocking-factor, c create, d diff compare, f file, g
    listed-incremental, h dereference, i ignore-zeros, j bzip2, k keep-old-files, l check-links, m touch, n seek,
    old-archive portability, p preserve-permissions same-permissions, r append, s preserve-order same-order,
    show-transformed-names show-stored-names, t list, transform xform, u update, v verbose, w interactive confirmation,
    x extract get, z gzip gunzip ungzip`,
  tldr: 'c clear-cache, h help, l list, p platform, s search, u update',
  tokei: `
    V version, c columns, e exclude, f files, h help, i input, l languages, o output, s sort, t type, v verbose`,
  trivy: 'd debug, h help, q quiet, v version',
  truncate: 'c no-create, o io-blocks, r reference, s size',
  'ts-node': `
    C compiler, D ignore-diagnostics, H compiler-host, I ignore, O compiler-options, P project, T transpile-only, e
    eval, h help, i interactive, p print, r require, v version`,
  turbo: 'dry dry-run',
  twilio: 'e edge, f force, h help, p profile, r refresh-cache, v verbose',
  typst: 'V version, h help, v verbosity; c | compile | w | watch: f format',
  uniq: `
    D all-repeated, c count, d repeated, f skip-fields, i ignore-case, s skip-chars, u unique, w check-chars, z
    zero-terminated`,
  uv: `
    V version, h help, m module, q quiet, r requirements, v verbose; run: s script; build | tree | venv: p python`,
  vault: 'h help, n key-shares, t key-threshold; write: f force; token renew: i increment',
  vercel: `
    A local-config, C no-clipboard, Q global-config, S scope, V platform-version, a all, b build-env, c confirm, d
    debug, e env, h help, m meta, n number, o output, p public, q query, s safe, t token, v version, y yes; .: f force;
    logs: f follow`,
  visudo: 'O owner, P perms, V version, c check, f file, h help, q quiet, s strict, x export',
  vite: 'c config, d debug, f filter, h help, l logLevel, m mode, v version, w watch',
  volta: 'c current, d default, f force, h help, o output, v version',
  webpack: 'c config, d devtool, h hot, j json, m merge, o output-path, t target, w watch',
  wezterm: 'V version, h help, o ssh-option',
  wget: `
    4 inet4-only, 6 inet6-only, A accept, B base, D domains, E adjust-extension, F force-html, H span-hosts, I
    include-directories, K backup-converted, L relative, N timestamping, O output-document, P directory-prefix, Q quota,
    R reject, S server-response, T timeout, U user-agent, V version, X exclude-directories, a append-output, b
    background, c continue, e execute, h help, i input-file, k convert-links, l level, m mirror, o output-file, p
    page-requisites, q quiet, r recursive, t tries, v verbose, w wait, x force-directories`,
  wrangler: `
    V version, b binding, c config, e env, f format, i ip, n namespace-id, p port, s site, t type, u url; . | build |
    config | generate | init | kv:bulk | kv:key | kv:namespace | login | preview | publish | report | route | secret |
    subdomain | tail | whoami: h help; dev: h host`,
  wscat: `
    H header, L location, P show-ping-pong, V version, c connect, h help, l listen, n no-check, o origin, p protocol, s
    subprotocol, w wait, x execute`,
  xcrun: 'f find, h help, k kill-cache, l log, n no-cache; .: v verbose',
  xxd: `
    C capitalize, E EBCDIC, a autoskip, b bits, c cols, g groupsize, h help, i include, l len, n name, p postscript
    plain ps, r revert, v version`,
  'yarn yarnpkg': `
    A audit, C caret, D dev, E exact, O optional, R recursive, S scope, T tilde, W ignore-workspace-root-check,
    enable-pnp pnp, g global, h help, p private, prod production, v version, y yes; . | cache | create | global | global
    remove | install | link | outdated | publish | remove | run | version | why: s silent; add: P peer, s silent;
    autoclean: f force, i init; global upgrade | upgrade: L latest, P pattern, s silent; init: i install, s silent; set
    resolution: s save`,
  'youtube-dl': `
    2 twofactor, 4 force-ipv4, 6 force-ipv6, C call-home, F list-formats, J dump-single-json, R retries, U update, a
    batch-file, c continue, e get-title, f format, g get-url, h help, i ignore-errors, j dump-json, k keep-video, n
    netrc, o output, p password, q quiet, r limit-rate, s simulate, u username, v verbose, w no-overwrites, x
    extract-audio`,
  zed: 'b bundle-path, h help, v version, w wait',
  zellij: `
    V version, a args, b background, h help, i in-place, p plugin, r reverse; .: c config, d debug, l layout, n
    new-session-with-layout, s session; a | attach: c create, f force-run-commands; da | delete-all-sessions: f force, y
    yes; d | delete-session: f force; e | edit: d direction, f floating, l line-number; ka | kill-all-sessions: y yes;
    list-sessions | ls: n no-formatting, s short; pipe: c plugin-configuration, n name; p | plugin: c configuration, f
    floating; r | run: c close-on-exit, d direction, f floating, n name, s start-suspended`,
  zig: `
    needed-l needed-library, p prefix, weak-l weak_library; . | ast-check | build | c++ | cc | dll-tool | fmt | init-exe
    | init-lib | libc: h help; build-exe | build-lib | build-obj | run | test | translate-c: L library-directory, T
    script, h help, l library; ranlib: h help, v version`,
  zoxide: 'V version, h help, i interactive, l list, s score',
}
