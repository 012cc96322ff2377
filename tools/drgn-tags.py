#!/usr/bin/env drgn
# SPDX-License-Identifier: GPL-2.0-only
"""drgn-tags: where the tags of each disk's tag sets are, in both modes of sbitmap.

    drgn tools/drgn-tags.py [DISK...]                          a running kernel
    drgn -c vmcore -s vmlinux tools/drgn-tags.py [DISK...]     a dump
    drgn ... tools/drgn-tags.py --tags ADDRESS                 one struct blk_mq_tags

For each set of tags: depth, words, tags in use; in NUMA mode by slot, with the
hint of each CPU; and how many requests hold a tag from a word of a node that
they were not started on. Needs debug information of the kernel, and nothing of
this repository. On a running kernel the figures move while they are read.
Tried on a process that has the kernel's structures (tools/t/drgn-tags.t); not
yet on the dump of a kernel.
"""
import argparse

from drgn import FaultError, Object, ProgramFlags

# The map of a bitmap in NUMA mode, see SBITMAP_NUMA_MAP; with
# CONFIG_ILLEGAL_POINTER_VALUE of 64 bit, and without.
NUMA_MAPS = (0xDEAD000000005B00, 0x5B00)


class Word:
    """One struct sbitmap_word, with the slot and node that it belongs to."""

    def __init__(self, index, obj, bits, slot=None, node=None):
        self.index, self.bits, self.slot, self.node = index, bits, slot, node
        mask = (1 << bits) - 1
        self.in_use = obj.word.value_() & ~obj.cleared.value_() & mask


def member_offset(type_, name):
    for member in type_.members:
        if member.name == name:
            return member.bit_offset // 8
    raise LookupError("%s has no member %s" % (type_, name))


def numa_side(prog, sbq):
    """The struct sbn of a bitmap in NUMA mode, or None."""
    if sbq.sb.map.value_() not in NUMA_MAPS:
        return None
    try:
        sbn = prog.type("struct sbn")
    except LookupError:
        raise SystemExit(
            "drgn-tags: a bitmap is in NUMA mode, and the debug information does "
            "not know struct sbn; load that of this very kernel"
        )
    return Object(
        prog, prog.pointer_type(sbn), sbq.ws.value_() - member_offset(sbn, "ws")
    )


def words(prog, sbq):
    """All words of a struct sbitmap_queue, in the order of their tags."""
    sb = sbq.sb
    depth, shift, nr = sb.depth.value_(), sb.shift.value_(), sb.map_nr.value_()
    sbn = numa_side(prog, sbq)
    for i in range(nr):
        bits = min(1 << shift, depth - (i << shift))
        # A resize changes one after the other: what is beyond counts for nothing.
        if bits <= 0:
            break
        if sbn is None:
            yield Word(i, sb.map[i], bits)
        else:
            w = sbn.word[i]
            yield Word(i, w.map[0], bits, w.slot.value_(), w.node.value_())


def is_kernel(prog):
    return bool(prog.flags & ProgramFlags.IS_LINUX_KERNEL)


def node_of_cpu(prog, cpu):
    from drgn.helpers.linux.percpu import per_cpu

    return per_cpu(prog["numa_node"], cpu).value_()


def request_cpus(prog, tags):
    """Tag to the CPU that its request was started on, for those that have one."""
    found = {}
    rqs = tags.rqs
    for tag in range(tags.nr_tags.value_()):
        try:
            rq = rqs[tag]
            if rq.value_() and rq.tag.value_() == tag:
                found[tag] = rq.mq_ctx.cpu.value_()
        except FaultError:
            # Freed meanwhile, or not in the dump.
            continue
    return found


def show(prog, name, tags):
    sbq = tags.bitmap_tags
    sb = sbq.sb
    ws = list(words(prog, sbq))
    sbn = numa_side(prog, sbq)
    busy = sum(bin(w.in_use).count("1") for w in ws)
    print(
        "%s: %s mode, depth %d, %d words of %d bits, %d in use, %d waiting"
        % (
            name,
            "default" if sbn is None else "NUMA",
            sb.depth.value_(),
            len(ws),
            1 << sb.shift.value_(),
            busy,
            sbq.ws_active.counter.value_(),
        )
    )
    if sbn is not None:
        for slot in range(sbn.nr_slots.value_()):
            mine = [w for w in ws if w.slot == slot]
            nodes = sorted({w.node for w in mine})
            print(
                "  slot %d, node %s: %d words, %d of %d tags in use"
                % (
                    slot,
                    ",".join(map(str, nodes)) or "-",
                    len(mine),
                    sum(bin(w.in_use).count("1") for w in mine),
                    sum(w.bits for w in mine),
                )
            )
    for w in ws:
        if w.in_use:
            print(
                "  word %d%s: %0*x"
                % (
                    w.index,
                    "" if w.slot is None else " (slot %d)" % w.slot,
                    (w.bits + 3) // 4,
                    w.in_use,
                )
            )
    if not is_kernel(prog):
        return
    if sbn is not None:
        from drgn.helpers.linux.cpumask import for_each_possible_cpu
        from drgn.helpers.linux.percpu import per_cpu_ptr

        for cpu in for_each_possible_cpu(prog):
            c = per_cpu_ptr(sbn.cpu, cpu)
            print(
                "  cpu %d: slot %d, home word %d, hint %d%s"
                % (
                    cpu,
                    c.slot.value_(),
                    c.home.value_(),
                    c.hint.value_(),
                    ", away" if c.away.value_() else "",
                )
            )
    shift = sb.shift.value_()
    first = tags.nr_reserved_tags.value_()
    place = {w.index: w for w in ws}
    known = foreign = 0
    for tag, cpu in request_cpus(prog, tags).items():
        w = place.get((tag - first) >> shift) if tag >= first else None
        if w is None or not w.in_use >> ((tag - first) & ((1 << shift) - 1)) & 1:
            continue
        known += 1
        if w.node is not None and w.node != node_of_cpu(prog, cpu):
            foreign += 1
    if sbn is None:
        print("  %d requests hold a tag" % known)
    else:
        print("  %d requests hold a tag, %d of them one of another node" % (known, foreign))


def tag_sets(prog, wanted):
    """Name and struct blk_mq_tags of every disk asked for, each set once."""
    from drgn.helpers.linux.block import disk_name, for_each_disk

    seen, found = set(), set()
    for disk in for_each_disk(prog):
        name = disk_name(disk).decode()
        if wanted and name not in wanted:
            continue
        found.add(name)
        tag_set = disk.queue.tag_set
        if not tag_set.value_():
            continue
        if tag_set.shared_tags.value_():
            all_tags = [("shared tags", tag_set.shared_tags)]
        else:
            all_tags = [
                ("queue %d" % i, tag_set.tags[i])
                for i in range(tag_set.nr_hw_queues.value_())
            ]
        for what, tags in all_tags:
            if tags.value_() and tags.value_() not in seen:
                seen.add(tags.value_())
                yield "%s, %s" % (name, what), tags
    for name in sorted(set(wanted) - found):
        raise SystemExit("drgn-tags: there is no disk %s" % name)


def main(prog):
    parser = argparse.ArgumentParser(
        prog="drgn-tags.py", description="Where the tags of disks are."
    )
    parser.add_argument("--tags", type=lambda s: int(s, 0), metavar="ADDRESS")
    parser.add_argument("disk", nargs="*")
    args = parser.parse_args()
    if args.tags is not None:
        type_ = prog.pointer_type(prog.type("struct blk_mq_tags"))
        show(prog, "tags at %#x" % args.tags, Object(prog, type_, args.tags))
        return
    if not is_kernel(prog):
        raise SystemExit("drgn-tags: this is no kernel; give --tags ADDRESS")
    n = 0
    for name, tags in tag_sets(prog, args.disk):
        show(prog, name, tags)
        n += 1
    if not n:
        raise SystemExit("drgn-tags: no disk here has tags")


# drgn defines prog for the scripts that it runs.
main(prog)  # noqa: F821
