# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
#
# What the demonstration shows while it runs: rates by the devices' counters,
# states by mrcctl, each second. Sourced by demo-guest, whose variables it uses
# (PATHS, RATE, HA, HB, DIR, START, SHOWN, EVENT, SEEN, SEEN_AT).

declare -A ASK ANSWER
STATE=() SRTT=() CWND=() LOST=() CE=()

# The view must not disturb what it shows: two helpers stay in the hosts and
# answer a line for a line, and the shell itself does the rest.
start_helpers()
{
	# shellcheck disable=SC2016
	helper devices "$HB" '
		while read -r; do
			line=
			for ((k = 0; k < $1; k++)); do
				read -r n < "/sys/class/net/b$k/statistics/rx_bytes"
				line+="$n "
			done
			echo "$line"
		done'
	helper paths "$HA" '
		while read -r; do
			mrcctl -j path show 2>/dev/null || echo
		done'
}

# helper NAME HOST SCRIPT: its ends are left in ASK[NAME] and ANSWER[NAME].
helper()
{
	local in out

	mkfifo "$DIR/$1.in" "$DIR/$1.out"
	ip netns exec "$2" bash -c "$3" bash "$PATHS" \
		<"$DIR/$1.in" >"$DIR/$1.out" &
	defer defer_end_pid $!
	exec {in}>"$DIR/$1.in" {out}<"$DIR/$1.out"
	ASK[$1]=$in
	ANSWER[$1]=$out
}

# Bytes that host B's devices have received, by path; into DEVICE.
read_devices()
{
	echo >&"${ASK[devices]}"
	read -r -a DEVICE <&"${ANSWER[devices]}"
}

# The word or number of a field of a JSON object, into FIELD.
field()
{
	FIELD=-
	[[ $1 =~ \"$2\":\"?([^,\"}]*) ]] && FIELD=${BASH_REMATCH[1]}
}

# The answer of mrcctl, into TEXT. A busy machine may take long to run it: then
# the view goes on without, and the answer comes with the next line.
ask_paths()
{
	local tries

	[ -n "${ASKED:-}" ] || echo >&"${ASK[paths]}"
	ASKED=1
	for ((tries = 0; tries < 7; tries++)); do
		if read -r -t 0 -u "${ANSWER[paths]}"; then
			ASKED=
			read -r TEXT <&"${ANSWER[paths]}"
			return
		fi
		wait_pause 0.1
	done
	return 1
}

# What the paths of the newest connection say, into STATE, SRTT (ms), CWND,
# LOST and CE, by path.
read_paths()
{
	local text object address conn

	[ "$MRC_FAMILY" = mrc ] || return 0
	ask_paths || return 0
	text=$TEXT
	STATE=() SRTT=() CWND=() LOST=() CE=()
	while [[ $text =~ \{([^}]*)\}(.*) ]]; do
		object=${BASH_REMATCH[1]}
		text=${BASH_REMATCH[2]}
		field "$object" sent_bytes
		# The control connection of iperf3 sends next to nothing.
		[ "$FIELD" -gt 100000 ] || continue
		field "$object" local
		address=${FIELD%:*}
		conn=${address#10.9.}
		note_path "${conn%.*}" "$object"
	done
}

note_path()
{
	field "$2" state
	STATE[$1]=$FIELD
	field "$2" srtt_us
	SRTT[$1]=$((FIELD / 1000)).$((FIELD / 100 % 10))
	field "$2" cwnd
	CWND[$1]=$((FIELD / 1000))
	field "$2" lost_packets
	LOST[$1]=$FIELD
	field "$2" ce_packets
	CE[$1]=$FIELD
}

bar()
{
	local n=$(($1 * 30 / RATE))

	printf -v BAR '%*s' $((n <= 30 ? n : 30)) ''
	BAR=${BAR// /#}
}

# Tenths as a decimal number.
tenths()
{
	TENTHS=$(($1 / 10)).$(($1 % 10))
}

# What happened since the last call, one line or a fresh table. The line tells
# which seconds of the transfer it covers: one, unless this machine had no time
# for the view. SHOWN is the last one.
view()
{
	local k rates=() total=0 span line text from=$((SHOWN + 1))

	read_devices
	clock_ms
	read_paths
	SHOWN=$(((CLOCK_MS - START) / 1000))
	[ $SHOWN -le $from ] && from= || from=$from-
	span=$((CLOCK_MS - SEEN_AT))
	for ((k = 0; k < PATHS; k++)); do
		rates[k]=$(((DEVICE[k] - SEEN[k]) * 8 / 100 / (span ? span : 1)))
		total=$((total + rates[k]))
	done
	SEEN=("${DEVICE[@]}")
	SEEN_AT=$CLOCK_MS
	tenths $total
	printf -v line '%6s s %6s Mbit/s' "$from$SHOWN" "$TENTHS"
	if [ -n "${MRC_DEMO_REDRAW:-}" ]; then
		[ -z "${DRAWN:-}" ] || printf '\033[%sA' $((PATHS + 2))
		DRAWN=1
		printf '\033[K%s on all paths  %s\n' "$line" "$EVENT"
		printf '\033[K   %-6s %-12s %7s %8s %8s %6s %6s\n' path state \
			Mbit/s rtt/ms cwnd/kB lost CE
	fi
	for ((k = 0; k < PATHS; k++)); do
		tenths "${rates[k]}"
		if [ -n "${MRC_DEMO_REDRAW:-}" ]; then
			bar $((rates[k] / 10))
			printf '\033[K   %-6s %-12s %7s %8s %8s %6s %6s %s\n' "$k" \
				"${STATE[k]:--}" "$TENTHS" "${SRTT[k]:--}" \
				"${CWND[k]:--}" "${LOST[k]:--}" "${CE[k]:--}" "$BAR"
		else
			printf -v text ' | %s %s %s %sms' "$k" "${STATE[k]:--}" \
				"$TENTHS" "${SRTT[k]:--}"
			line+=$text
		fi
	done
	[ -n "${MRC_DEMO_REDRAW:-}" ] || echo "$line${EVENT:+  <- $EVENT}"
	EVENT=
}
