-- The changes of a cluster: each proves the lease of the node that asks, and from then on sees the newest rows, because
-- every statement of a function has a view of its own. Times come and go in milliseconds since the Unix epoch.
-- `cluster_give` comes through the connection that writes the games, all others through the node's keeper.

CREATE FUNCTION moment_of(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT AS
    'SELECT timestamptz ''epoch'' + ms * interval ''1 millisecond''';
CREATE FUNCTION ms_of(moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS
    'SELECT floor(extract(epoch FROM moment) * 1000)::bigint';

CREATE FUNCTION cluster_join(of_node int, fresh bigint, fresh_keeper bigint, of_version text, of_form int,
    of_offers text[]) RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE
    last_renewal timestamptz;
BEGIN
    SELECT renewed INTO last_renewal FROM nodes WHERE node = of_node FOR UPDATE;
    INSERT INTO nodes (node, incarnation, keeper, state, version, reads_form, offers, seen, renewed, well_since)
        VALUES (of_node, fresh, fresh_keeper, 'up', of_version, of_form, of_offers, clock_timestamp(), clock_timestamp(),
            clock_timestamp())
        ON CONFLICT (node) DO UPDATE SET incarnation = excluded.incarnation, keeper = excluded.keeper, state = excluded.state,
            version = excluded.version, reads_form = excluded.reads_form, offers = excluded.offers, seen = excluded.seen,
            renewed = excluded.renewed, well_since = excluded.well_since;
    UPDATE shards SET owner = NULL, term = term + 1, orphaned_at = coalesce(orphaned_at, last_renewal, clock_timestamp())
        WHERE owner = of_node;
END $body$;

CREATE FUNCTION cluster_renew(of_node int, of_keeper bigint, is_draining boolean, last_ms bigint, is_lost boolean,
    lease_ms bigint) RETURNS bigint
LANGUAGE plpgsql AS $body$
DECLARE
    moment timestamptz;
    last_renewal timestamptz := moment_of(last_ms);
BEGIN
    PERFORM prove_keeper(of_node, of_keeper);
    moment := clock_timestamp();
    UPDATE nodes SET renewed = moment, state = CASE WHEN is_draining THEN 'draining' ELSE 'up' END WHERE node = of_node;
    -- The first renewal of a life comes as late as an outage after the start lets it.
    IF last_ms IS NULL OR is_lost OR ms_of(moment) - last_ms >= lease_ms / 2 OR ms_of(moment) < last_ms THEN
        UPDATE nodes SET well_since = moment WHERE node = of_node;
        UPDATE shards SET orphaned_at = last_renewal WHERE owner = of_node AND orphaned_at IS NULL;
    END IF;
    RETURN ms_of(moment);
END $body$;

CREATE FUNCTION cluster_fence(of_node int, of_keeper bigint, of_nodes int[], of_incarnations bigint[], after_ms bigint,
    lease_ms bigint) RETURNS SETOF int
LANGUAGE plpgsql AS $body$
DECLARE
    now_ms bigint;
BEGIN
    PERFORM prove_keeper(of_node, of_keeper);
    now_ms := ms_of(clock_timestamp());
    IF now_ms - after_ms >= lease_ms OR now_ms < after_ms
        OR NOT EXISTS (SELECT 1 FROM nodes WHERE node = of_node AND now_ms - ms_of(well_since) >= lease_ms)
    THEN
        RETURN;
    END IF;
    RETURN QUERY UPDATE nodes SET state = 'fenced'
        FROM unnest(of_nodes, of_incarnations) AS gone (node, incarnation)
        WHERE nodes.node = gone.node AND nodes.incarnation = gone.incarnation AND nodes.state <> 'fenced'
        AND abs(ms_of(clock_timestamp()) - ms_of(nodes.seen)) >= lease_ms
        RETURNING nodes.node;
END $body$;

CREATE FUNCTION cluster_take(of_node int, of_keeper bigint, of_shards smallint[], of_terms bigint[])
    RETURNS TABLE (taken smallint, new_term bigint, since_ms bigint)
LANGUAGE plpgsql AS $body$
BEGIN
    PERFORM prove_keeper(of_node, of_keeper);
    -- In one order, so that two nodes do not wait for each other.
    PERFORM 1 FROM shards WHERE shard = ANY (of_shards) ORDER BY shard FOR UPDATE;
    RETURN QUERY UPDATE shards SET owner = of_node, term = shards.term + 1, orphaned_at = coalesce(shards.orphaned_at,
            (SELECT renewed FROM nodes WHERE nodes.node = shards.owner), clock_timestamp())
        FROM unnest(of_shards, of_terms) AS free (shard, term)
        WHERE shards.shard = free.shard AND shards.term = free.term
        AND NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.node = shards.owner AND nodes.state <> 'fenced')
        RETURNING shards.shard, shards.term, ms_of(shards.orphaned_at);
END $body$;

CREATE FUNCTION cluster_give(of_node int, of_incarnation bigint, of_shard smallint, of_term bigint, to_node int,
    since_ms bigint, lease_ms bigint) RETURNS boolean
LANGUAGE plpgsql AS $body$
BEGIN
    PERFORM prove_lease(of_node, of_incarnation, '{}', '{}');
    UPDATE shards SET owner = to_node, term = term + 1, orphaned_at = coalesce(orphaned_at, moment_of(since_ms))
        WHERE shard = of_shard AND owner = of_node AND term = of_term
        AND EXISTS (SELECT 1 FROM nodes WHERE node = to_node AND state = 'up'
            AND abs(ms_of(clock_timestamp()) - ms_of(seen)) < lease_ms);
    RETURN FOUND;
END $body$;

CREATE FUNCTION cluster_settle(of_node int, of_keeper bigint, of_shards smallint[], of_terms bigint[]) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
    PERFORM prove_keeper(of_node, of_keeper);
    UPDATE shards SET still_ms = still_ms + greatest(0, ms_of(clock_timestamp()) - ms_of(orphaned_at)), orphaned_at = NULL
        FROM unnest(of_shards, of_terms) AS mine (shard, term)
        WHERE shards.shard = mine.shard AND shards.term = mine.term AND shards.owner = of_node
        AND orphaned_at IS NOT NULL;
END $body$;

CREATE FUNCTION cluster_leave(of_node int, of_keeper bigint, since_ms bigint) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
    PERFORM prove_keeper(of_node, of_keeper);
    UPDATE nodes SET state = 'fenced' WHERE node = of_node;
    UPDATE shards SET owner = NULL, term = term + 1, orphaned_at = coalesce(orphaned_at, moment_of(since_ms))
        WHERE owner = of_node;
END $body$;
