"""The SQL for times that were stored before the clock was set back."""

# When someone typed or tried a password, since when a webhook fails, and its next slot. A pause keeps its length.
# Parameters: $1 now, $2 the latest time that clocks may show
BRING_BACK = """
with typed as (
    update typing set at = $1 where at > $2
), attempted as (
    update sign_in_attempts set last_at = $1, blocked_until = $1 + (blocked_until - last_at) where last_at > $2
)
update webhooks set first_failure_at = case when first_failure_at > $2 then $1 else first_failure_at end,
                    next_slot_at = case when next_slot_at > $2 then $1 else next_slot_at end
where first_failure_at > $2 or next_slot_at > $2
"""

# A lease is short, a retry comes after a pause, and a first attempt is due at the time of its delivery or, in a replay,
# later: that stays.
# Parameters: $1 now, $2 the latest end of a lease, $3 the latest end of a pause
BRING_BACK_DELIVERIES = """
update due_deliveries set due_at = $1, leased = false
where due_at > $2 and case when leased then true
                           when attempts_made > 0 then due_at > $3
                           else due_at <= time_of_ms(id_ms(delivery_id)) + interval '1 minute' end
"""
