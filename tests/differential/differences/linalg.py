"""Differences of linear algebra."""

DIFFERENCES = {
    r"autocast function linalg\.pinv: .*'dtype': \('float32', 'bfloat16'\)": "under autocast the result is float32; PyTorch rounds a product within",
    r"autocast function nn\.functional\.pdist: jgrad: None": "of nothing in bfloat16: PyTorch refuses the gradient",
    r"bfloat16 function (svd|pca)_lowrank: jgrad: NotImplementedError.*geqrf": "of bfloat16: the error is that of the factorization; PyTorch fails on its own product before",
    r"out of linalg.eig to ": "eigenvectors are unique up to a factor, which LAPACK libraries choose differently",
    r"out of linalg.lstsq to empty: .*'stride'": "PyTorch's solution lies in longer columns, which held B; jgrad's fills its memory",
    r"out of linalg.matrix_power to double": "powers 0 and 1 are copied into a wider dtype by PyTorch, other powers are refused",
    r"out of inner to (double|int)": "the product with a 0-d tensor is written into a wider dtype by PyTorch",
    # What no sample shows.
    r"function linalg.det: of singular matrices": "of a singular matrix the gradient is the matrix of cofactors; PyTorch's is zero, but the cofactors with create_graph=True",
    r"function linalg.matrix_exp: of float16": "float16 is computed in float32; PyTorch's has no correct digit",
    r"function linalg.solve_triangular: of two dtypes": "two dtypes are refused; PyTorch reads the bytes of one dtype as the other",
    r"function linalg.ldl_factor: of singular matrices": "a singular matrix is refused with a sentence; PyTorch reports an internal error",
    r"function (mm|bmm|addmm|baddbmm): of out_dtype=": "out_dtype= is left out; PyTorch has it for CUDA only",
}

WRONG_IN_PYTORCH = {
    r"(?s)(bfloat16 )?(function|method) (linalg\.)?matrix_exp: .*instead of.*(inf|nan)": "of half precision; PyTorch's result is infinite",
}

# Matrices that are nearly singular, and sums of large terms that cancel: two libraries agree in fewer digits there. (PyTorch derives products
# of reflections by undoing them one after the other, and loses eight digits on the way.)
ROUNDING = {
    "linalg.pinv": 2**10,
    "linalg.householder_product": 2**22,
    "orgqr": 2**22,
    "ormqr": 2**22,
    "svd_lowrank": 2**24,
    "pca_lowrank": 2**24,
}
