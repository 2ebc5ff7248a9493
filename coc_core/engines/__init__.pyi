from .cores import usable_cores as usable_cores
from .pool import Lost as Lost, Pool as Pool, worker_error as worker_error
from .processes import open_processes as open_processes
from .shards import in_shards as in_shards, one_at_a_time as one_at_a_time
