import { limits } from '../model/limits.ts'
import { nodeVariables } from '../model/node-environment.ts'
import { aroundSource } from './perl-around.ts'
import { endings, exitCodeMax } from './reply.ts'

/**
 * The thin client in Perl's core builtins: no module is loaded, so none can be put in its way, and it starts in a
 * tenth of the time that Node needs. It does what the one in C does; its clock counts whole seconds.
 */
export const perlSource = String.raw`# INVARIANT: one answer or none. Nothing is written before the whole of it is there.
$SIG{PIPE} = 'IGNORE';
$SIG{CHLD} = 'DEFAULT';
binmode $_ for *STDIN, *STDOUT, *STDERR;
my ($event, $reply, $child) = ('', '', 0);

sub complain { syswrite STDERR, "hookgate: $_[0]\n" }

if (@ARGV != 10) {
  complain('the client was called with the wrong arguments');
  exit ${endings.noAnswer};
}
my ($socket, $agent, $version, $alive_ms, $answer_ms, $bytes_max, $up_every_s, $stamp, $node, $bin) = @ARGV;
my $alive_s = $alive_ms / 1000;
my $deadline = time + $answer_ms / 1000;
# Without the module that knows them: Linux, and the systems that come of BSD.
my $linux = $^O eq 'linux';
my ($again, $nonblock) = $linux ? (11, 2048) : (35, 4);

sub leave {
  my ($why, $code) = @_;
  complain($why);
  kill 'KILL', $child if $child;
  exit(index($event, '"stop_hook_active":true') >= 0 ? ${endings.stoppedBefore} : $code);
}

sub no_answer { leave($_[0], ${endings.noAnswer}) }

# The last bound of all, for whatever waits where it should not.
$SIG{ALRM} = sub { no_answer('no answer came in time') };
alarm int($answer_ms / 1000) + 2;

sub later { $! == $again || $! == 4 }
sub nonblocking { fcntl $_[0], 4, $nonblock | fcntl $_[0], 3, 0 }

sub write_all {
  my ($to, $from) = ($_[0], 0);
  while ($from < length $_[1]) {
    my $put = syswrite $to, $_[1], length($_[1]) - $from, $from;
    if (defined $put) { $from += $put }
    elsif (later()) { select undef, undef, undef, 0.005 }
    else { return }
  }
}

# Which of two handles is ready, the one to read from and the one to write to; neither when the time is over.
sub ready {
  my ($from, $to, $until) = @_;
  while ((my $left = $until - time) > 0) {
    my ($in, $out) = ('', '');
    vec($in, fileno $from, 1) = 1;
    vec($out, fileno $to, 1) = 1 if $to;
    my $count = select $in, $out, undef, $left;
    return (vec($in, fileno $from, 1), $to && vec($out, fileno $to, 1)) if $count > 0;
  }
  return (0, 0);
}

# INVARIANT: nobody else can have put the socket where it is. A short path is one in a folder that all may write to.
sub is_ours {
  my ($folder) = $socket =~ m{^(.+)/[^/]*$}s or return;
  my @is = lstat $folder or return;
  return ($is[2] & 0170077) == 0040000 && $is[4] == $>;
}

sub connected {
  return unless is_ours();
  my $address = pack $linux ? 'S a*' : 'x C a*', 1, "$socket\0";
  substr($address, 0, 1) = chr length $address unless $linux;
  socket my $gate, 1, 1, 0 or return;
  nonblocking($gate);
  my $until = time + $alive_s;
  until (connect $gate, $address) {
    # So many ask at once that the gate's queue is full.
    return unless later() && time < $until;
    select undef, undef, undef, 0.005;
  }
  return $gate;
}

# Out, err and code where all of the answer is there; else a state: 0, it has begun; 2, nothing of it; -1, it is none.
sub understood {
  my $from = 0;
  for (;;) {
    my $start = substr $reply, $from, 12;
    if (length $start < 12) {
      my $might_be = index('HTTP/1.1 200', $start) == 0 || index('HTTP/1.1 100', $start) == 0;
      return !$might_be ? -1 : $start eq '' ? 2 : 0;
    }
    return -1 if $start !~ /^HTTP\/1\.1 [12]/;
    # More promises than any gate makes.
    return -1 if $from > 65536;
    my $end = index $reply, "\r\n\r\n", $from;
    return length($reply) - $from > 65536 ? -1 : 0 if $end < 0;
    my $head = substr $reply, $from, $end + 2 - $from;
    $from = $end + 4;
    next if $start =~ / 1/;
    return -1 if $start !~ / 200/;
    my ($length) = $head =~ /\r\ncontent-length: *([0-9]{1,9})\r/i or return -1;
    my ($code) = $head =~ /\r\nhookgate-exit-code: *([0-9]{1,3})\r/i or return -1;
    my ($err) = $head =~ /\r\nhookgate-stderr-bytes: *([0-9]{1,9})\r/i or return -1;
    return -1 if $length > $bytes_max || $err > $length || $code > ${exitCodeMax};
    return 0 if length($reply) - $from < $length;
    return (substr($reply, $from, $length - $err), substr($reply, $from + $length - $err, $err), $code);
  }
}

${aroundSource}

# INVARIANT: a gate that does not say within alive_s that it hears (100 Continue), or that stops in the middle of an
# answer for as long, has not answered. One that hears may take as long as its hooks do.
sub asked {
  my $around = around();
  return unless defined $around;
  my $gate = connected() or return;
  my $request = "POST /v1/hook/$agent HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
    . "Content-Type: application/json\r\nHookgate-Version: $version\r\nHookgate-Caller-Bytes: " . length($around)
    . "\r\nContent-Length: " . (length($around) + length $event) . "\r\n\r\n$around$event";
  my ($sent, $until) = (0, time + $alive_s);
  for (;;) {
    my $more = $sent < length $request;
    my ($in, $out) = ready($gate, $more && $gate, $until < $deadline ? $until : $deadline);
    return unless $in || $out;
    if ($out) {
      my $put = syswrite $gate, $request, length($request) - $sent, $sent;
      if (defined $put) { $sent += $put }
      # It wants no more; what it says is still to be read.
      elsif (!later()) { $sent = length $request }
    }
    next unless $in;
    my $got = sysread $gate, $reply, 65536, length $reply;
    next if !defined $got && later();
    return if !$got || length $reply > $bytes_max;
    my @said = understood();
    return @said if @said == 3;
    return if $said[0] < 0;
    $until = $said[0] == 2 ? $deadline : time + $alive_s;
  }
}

sub become {
  delete @ENV{qw(${nodeVariables.join(' ')})};
  locale_of(\%ENV);
  exec { $node } $node, $bin, @_;
  kill 'KILL', $$;
}

# Has the gate brought up for the next event, in the background, and not more often than every so many seconds.
sub bring_up {
  return if $up_every_s <= 0;
  # O_WRONLY | O_CREAT | O_EXCL
  if (sysopen my $made, $stamp, $linux ? 0301 : 05001, 0600) { close $made }
  else {
    my @last = lstat $stamp or return;
    return if time - $last[9] < $up_every_s || !utime undef, undef, $stamp;
  }
  defined(my $first = fork) or return;
  if ($first == 0) {
    alarm 0;
    # Where there is no second one, this one is not to be the gate: we wait for it.
    defined(my $second = fork) or kill 'KILL', $$;
    if ($second == 0) {
      setpgrp 0, 0;
      open STDIN, '<', '/dev/null';
      open STDOUT, '>', '/dev/null';
      open STDERR, '>', '/dev/null';
      become('up', '--for-session');
    }
    kill 'KILL', $$;
  }
  waitpid $first, 0;
}

# The same decision in a process of its own. Its stderr is ours.
sub decided {
  pipe my $theirs_in, my $in or return;
  pipe my $out, my $theirs_out or return;
  defined($child = fork) or return;
  if ($child == 0) {
    alarm 0;
    $SIG{PIPE} = 'DEFAULT';
    open STDIN, '<&', $theirs_in;
    open STDOUT, '>&', $theirs_out;
    become('run', '--agent', $agent, '--answered=${endings.answered}');
  }
  close $theirs_in;
  close $theirs_out;
  nonblocking($in);
  my ($said, $sent, $asked_to_end) = ('', 0, 0);
  for (;;) {
    if ($in && $sent >= length $event) { undef $in }
    my ($readable, $writable) = ready($out, $in, $deadline);
    if (!$readable && !$writable) {
      kill $asked_to_end ? 'KILL' : 'TERM', $child;
      last if $asked_to_end++;
      $deadline = time + 1;
    }
    if ($writable) {
      my $put = syswrite $in, $event, length($event) - $sent, $sent;
      if (defined $put) { $sent += $put }
      elsif (!later()) { $sent = length $event }
    }
    next unless $readable;
    my $got = sysread $out, $said, 65536, length $said;
    next if !defined $got && later();
    last if !$got;
    kill 'KILL', $child if length $said > $bytes_max;
  }
  return if waitpid($child, 0) != $child;
  $child = 0;
  my $code = $? & 127 ? -1 : ($? >> 8) - ${endings.answered};
  return ($said, '', $code) if $code >= 0 && $code <= ${exitCodeMax};
  return;
}

# Read on to its end: whoever still writes when we are gone may take that for a failure of the hook, and not for its answer.
sub too_large {
  my $left = ${limits.httpDiscardedBytesMax};
  while ($left > 0) {
    my ($in) = ready(*STDIN, undef, time + $alive_s);
    last unless $in;
    my $got = sysread STDIN, my $rest, 65536;
    next if !defined $got && later();
    last unless $got;
    $left -= $got;
  }
  leave('the event is too large', ${endings.tooLarge});
}

sub say_it {
  my ($out, $err, $code) = @_;
  write_all(*STDOUT, $out);
  write_all(*STDERR, $err);
  exit ${endings.answered} + $code;
}

for (;;) {
  my ($in) = ready(*STDIN, undef, $deadline);
  no_answer('the event did not come to its end in time') unless $in;
  my $got = sysread STDIN, $event, 65536, length $event;
  next if !defined $got && later();
  no_answer('the event cannot be read') unless defined $got;
  last if $got == 0;
  too_large() if length $event > $bytes_max;
}
# A hook of the gate that asks the gate again would never end: the count of gates behind gates is kept by processes.
unless (defined $ENV{HOOKGATE_DEPTH}) {
  my @said = asked();
  say_it(@said) if @said;
  no_answer('the gate did not answer in time') if time >= $deadline;
  bring_up();
}
my @said = decided();
no_answer('neither the gate nor a separate process could be asked') unless @said;
say_it(@said);
`
